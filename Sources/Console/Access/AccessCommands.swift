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

    /// The commands for the installed service.
    static let service = AccessCommands(program: "sudo scanstation", isInTerminal: false)

    /// The commands for a console on a desk.
    /// - Parameter program: `nil`: where it is isn't shown.
    static func desk(program: String?) -> AccessCommands {
        AccessCommands(program: program ?? "scanstation", isInTerminal: true)
    }

    /// For this process.
    /// - Parameter isAskedHere: by a browser on this machine.
    static func own(isAskedHere: Bool) -> AccessCommands {
        guard Environment.value("NOTIFY_SOCKET") == nil else { return service }
        // It may name a person's home: another machine isn't told.
        return desk(program: isAskedHere ? beside : nil)
    }

    /// The station's program beside this one, as it is typed; `nil`: there is none. It doesn't move while this one runs.
    private static let beside: String? = {
        let own = Files.resolved("/proc/self/exe") ?? ""
        let program = "/" + (own.split(separator: "/").dropLast() + ["scanstation"]).joined(separator: "/")
        guard access(program, X_OK) == 0 else { return nil }
        return program.contains(" ") ? "'\(program)'" : program
    }()

    var json: JSONValue {
        ["password": .string(password), "link": .string(link), "terminal": .bool(isInTerminal)]
    }
}
