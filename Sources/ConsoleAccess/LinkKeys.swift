import Glibc
import Linux
import Vocabulary

/// Keys that let one browser in once: `http://…/#key=KEY`. The folder `links` has a file for each that waits, named by the key's hash;
/// removing the file uses the key, so two can't.
package struct LinkKeys: Sendable {
    package static let lifetime: Duration = .seconds(600)
    /// Older ones go first.
    static let most = 16

    private let folder: ConsoleFolder
    private let bootID: String

    package init(_ folder: ConsoleFolder, bootID: String = MachineClock.bootID ?? "") {
        self.folder = ConsoleFolder("\(folder.path)/links")
        self.bootID = bootID
        parent = folder
    }

    private let parent: ConsoleFolder

    /// - Parameter lifetime: `nil`: until it is used, or the machine restarts.
    package func make(at now: Instant, lifetime: Duration? = LinkKeys.lifetime) throws(AccessError) -> String {
        try parent.make()
        try parent.makeFolder(folder.path)
        tidy(at: now)
        let key = try Secrets.key()
        let end = lifetime.map { String(now.advanced(by: $0).nanoseconds) } ?? "-"
        try folder.write(name(of: key), Array("\(bootID) \(end)\n".utf8))
        return key
    }

    /// Whether the key was valid; it isn't any more.
    package func use(_ key: String, at now: Instant) -> Bool {
        guard key.utf8.count == Secrets.keyBytes * 2, key.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return false }
        let name = name(of: key)
        return isValid(name, at: now) && folder.remove(name)
    }

    /// How many wait.
    package func count(at now: Instant) -> Int { names.count { isValid($0, at: now) } }

    /// Voids all of them.
    package func removeAll() { for name in names { _ = folder.remove(name) } }

    private var names: [String] { Files.names(in: folder.path).filter { !$0.hasPrefix(".") } }

    private func name(of key: String) -> String { Secrets.hexadecimal(Secrets.hash(key)) }

    private func isValid(_ name: String, at now: Instant) -> Bool {
        guard let bytes = try? folder.read(name) else { return false }
        let parts = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard parts.count == 2, parts[0] == bootID else { return false }
        return parts[1] == "-" || (Int64(parts[1]).map { now.nanoseconds < $0 } ?? false)
    }

    private func tidy(at now: Instant) {
        for name in names where !isValid(name, at: now) { _ = folder.remove(name) }
        let left = names.map { name -> (String, Int) in
            var status = stat()
            return (name, stat("\(folder.path)/\(name)", &status) == 0 ? status.st_mtim.tv_sec : 0)
        }
        for (name, _) in left.sorted(by: { $0.1 < $1.1 }).dropLast(Self.most - 1) { _ = folder.remove(name) }
    }
}
