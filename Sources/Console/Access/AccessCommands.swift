import Glibc
import Linux
import Wire

/// What a person types on the station's machine to get in.
package struct AccessCommands: Hashable, Sendable {
    package var password: String
    package var link: String
    /// Whether the station runs in somebody's terminal, which shows a link from its start.
    package var isInTerminal: Bool

    /// - Parameter program: `scanstation`, or where it is.
    private init(program: String, isInTerminal: Bool) {
        (password, link) = ("\(program) console password", "\(program) console link")
        self.isInTerminal = isInTerminal
    }

    /// Of the installed service.
    package static let service = AccessCommands(program: "sudo scanstation", isInTerminal: false)

    /// Of a console on a desk.
    /// - Parameter program: `nil`: its place isn't told, as somebody else's machine asks.
    package static func desk(program: String?) -> AccessCommands {
        AccessCommands(program: program ?? "scanstation", isInTerminal: true)
    }

    /// For this process.
    /// - Parameter isAskedHere: by a browser on this machine.
    static func own(isAskedHere: Bool) -> AccessCommands {
        guard getenv("NOTIFY_SOCKET") == nil else { return service }
        let beside = Files.resolved("/proc/self/exe").map { $0.split(separator: "/").dropLast().joined(separator: "/") }
        return desk(program: isAskedHere ? beside.map { "/\($0)/scanstation" } : nil)
    }

    var json: JSONValue {
        ["password": .string(password), "link": .string(link), "terminal": .bool(isInTerminal)]
    }
}
