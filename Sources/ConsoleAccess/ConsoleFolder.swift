import Glibc
import Linux

/// The console's state folder: the password's hash, tokens, links that wait to be used. Nobody else may read it.
///
/// root may write into the service's folder (`scanstation console password`): a file then gets the folder's owner, so that the service
/// can read it.
package struct ConsoleFolder: Sendable {
    package static let serviceFolder = "/var/lib/scanstation-console"
    static let maxFileBytes = 65_536

    package let path: String

    package init(_ path: String) { self.path = path }

    /// The service's folder for root, or if it is there and this user may write to it; else `$XDG_STATE_HOME/scanstation/console`, else
    /// `~/.local/state/scanstation/console`. `nil` without a home.
    package static func standard(
        environment: (String) -> String? = Environment.value, userID: uid_t = geteuid(),
        mayWrite: (String) -> Bool = { access($0, W_OK) == 0 }
    ) -> ConsoleFolder? {
        if let folder = environment("STATE_DIRECTORY")?.split(separator: ":").first {
            return ConsoleFolder(String(folder))
        }
        if userID == 0 || mayWrite(serviceFolder) { return ConsoleFolder(serviceFolder) }
        return desk(environment: environment)
    }

    /// Of a console beside a station that this user started by hand.
    package static func desk(environment: (String) -> String? = Environment.value) -> ConsoleFolder? {
        Environment.stateHome(environment).map { ConsoleFolder("\($0)/scanstation/console") }
    }

    /// For a command line: the folder of a console that runs, the service's before one on this user's desk; else `standard`.
    package static func running(
        environment: (String) -> String? = Environment.value,
        isRunning: (ConsoleFolder) -> Bool = { ConsolePlace(in: $0) != nil }
    ) -> ConsoleFolder? {
        let standard = standard(environment: environment)
        return [standard, desk(environment: environment)].compactMap(\.self).first(where: isRunning) ?? standard
    }

    /// Makes the folder with its parents, 0700.
    package func make() throws(AccessError) { try makeFolder(path) }

    func makeFolder(_ folder: String) throws(AccessError) {
        do throws(Files.NoFolder) { try Files.makeFolder(folder, mode: 0o700) } catch {
            throw AccessError(
                "the folder \(error.path) for the console's password can't be made: \(error.error.text); name another with "
                    + "--state")
        }
        takeOwner(of: path, for: folder)
    }

    /// The content of a file; `nil` if there is none. Throws if it can't be read, so that a disk error is never taken for "no password".
    func read(_ name: String) throws(AccessError) -> [UInt8]? {
        let file = "\(path)/\(name)"
        switch Files.read(file, limit: Self.maxFileBytes, followsLink: false) {
        case .bytes(let bytes): return bytes
        case .tooLong:
            throw AccessError("\(file) is longer than \(Self.maxFileBytes) bytes: it isn't the console's; delete it")
        case .missing: return nil
        case .notAFile(let error), .failed(let error): throw AccessError("\(file) can't be read: \(error.text)")
        }
    }

    /// Puts a file in place, 0600 and synced, whole or not at all.
    func write(_ name: String, _ bytes: [UInt8]) throws(AccessError) {
        try make()
        // root writes for the service, which has to read it.
        var status = stat()
        let isRoot = geteuid() == 0 && stat(path, &status) == 0
        do throws(SystemError) {
            try WholeFile.write(
                bytes, to: "\(path)/\(name)", mode: 0o600, owner: isRoot ? (status.st_uid, status.st_gid) : nil)
        } catch {
            throw AccessError("\(path)/\(name) can't be written: \(error.text); nothing was changed")
        }
    }

    /// Whether the file was there and is gone now. Of several that try at once, one gets `true`.
    func remove(_ name: String) -> Bool {
        guard unlink("\(path)/\(name)") == 0 else { return false }
        try? WholeFile.syncFolder(path)
        return true
    }

    private func takeOwner(of folder: String, for made: String) {
        var status = stat()
        guard geteuid() == 0, folder != made, stat(folder, &status) == 0 else { return }
        _ = chown(made, status.st_uid, status.st_gid)
    }
}

/// The file of tokens, whose content is the console's own business.
extension ConsoleFolder {
    package func readTokens() throws(AccessError) -> [UInt8]? { try read("tokens.json") }
    package func writeTokens(_ bytes: [UInt8]) throws(AccessError) { try write("tokens.json", bytes) }
}
