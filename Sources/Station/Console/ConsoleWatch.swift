import Control
import Vocabulary

/// Who looks at this station through a console, as the consoles say themselves.
struct ConsoleWatch: Sendable {
    /// What a connected console said last.
    private var consoles: [UInt64: (version: String?, viewers: Int)] = [:]
    private var told = 0

    mutating func hello(from client: UInt64, version: String?, viewers: Int?) {
        let viewers = viewers ?? consoles[client]?.viewers ?? 0
        consoles[client] = (version ?? consoles[client]?.version, viewers)
    }

    mutating func left(_ client: UInt64) { consoles[client] = nil }

    /// How many look, if that has changed since this was asked.
    mutating func news() -> Int? {
        guard viewers != told else { return nil }
        told = viewers
        return told
    }

    var count: Int { consoles.count }
    var viewers: Int { consoles.values.reduce(0) { $0 + $1.viewers } }
    var versions: [String] { Set(consoles.values.compactMap(\.version)).sorted() }
}
