import Control
import Vocabulary
import Wire

/// The people who look at this station through a console, as the consoles report.
struct ConsoleWatch: Sendable {
    /// What each connected console said.
    private var consoles: [UInt64: ConsoleHello] = [:]
    private var told = 0

    mutating func hello(_ said: ConsoleHello, from client: UInt64) {
        let before = consoles[client]
        consoles[client] = ConsoleHello(
            version: said.version ?? before?.version, viewers: said.viewers ?? before?.viewers,
            port: said.port ?? before?.port, isOnNetwork: said.isOnNetwork ?? before?.isOnNetwork)
    }

    mutating func left(_ client: UInt64) { consoles[client] = nil }

    /// How many look, if that has changed since this was asked.
    mutating func news() -> Int? {
        guard viewers != told else { return nil }
        told = viewers
        return told
    }

    var count: Int { consoles.count }
    var viewers: Int { consoles.values.reduce(0) { $0 + ($1.viewers ?? 0) } }
    /// Where their pages are: by port, whether others reach it.
    var pages: [(port: Int, isOnNetwork: Bool)] {
        var found: [Int: Bool] = [:]
        // A console has two connections, one of which says so.
        for hello in consoles.values { if let port = hello.port { found[port] = hello.isOnNetwork ?? false } }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    var versions: [String] { Set(consoles.values.compactMap(\.version)).sorted() }
}
