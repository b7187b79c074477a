import Glibc
import Linux
import Wire

/// What a person types on the station's machine to get in.
struct AccessCommands: Hashable, Sendable {
    var password: String
    var link: String
    /// Whether the station runs in somebody's terminal, which shows a link from its start.
    var isInTerminal: Bool

    /// - Parameter program: `scanstation`, or where it is.
    private init(program: String, isInTerminal: Bool) {
        (password, link) = ("\(program) console password", "\(program) console link")
        self.isInTerminal = isInTerminal
    }

    /// Of the installed service.
    static let service = AccessCommands(program: "sudo scanstation", isInTerminal: false)

    /// Of a console on a desk.
    /// - Parameter program: `nil`: where it is isn't told.
    static func desk(program: String?) -> AccessCommands {
        AccessCommands(program: program ?? "scanstation", isInTerminal: true)
    }

    /// For this process.
    /// - Parameter isAskedHere: by a browser on this machine.
    static func own(isAskedHere: Bool) -> AccessCommands {
        guard getenv("NOTIFY_SOCKET") == nil else { return service }
        let own = Files.resolved("/proc/self/exe") ?? ""
        let program = "/" + (own.split(separator: "/").dropLast() + ["scanstation"]).joined(separator: "/")
        let isThere = access(program, X_OK) == 0
        // It may name a person's home: another machine isn't told.
        return desk(program: isAskedHere && isThere ? program.contains(" ") ? "'\(program)'" : program : nil)
    }

    var json: JSONValue {
        ["password": .string(password), "link": .string(link), "terminal": .bool(isInTerminal)]
    }
}
