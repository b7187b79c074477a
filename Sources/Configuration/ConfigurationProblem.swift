import ScanCore

/// One thing that is wrong in a configuration, and where. An error keeps the station from starting, a warning doesn't.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    public typealias Severity = SettingProblem.Severity

    public var severity: Severity
    /// The file's name as it was given; `nil` where the settings didn't come from a file.
    public var file: String?
    /// Both from 1, columns in Unicode scalars; `nil` when the problem is the file itself or something absent from it.
    public var position: Position?
    public var message: String

    public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
        public var line: Int
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        public static func < (a: Position, b: Position) -> Bool { (a.line, a.column) < (b.line, b.column) }

        public var description: String { "\(line):\(column)" }
    }

    public init(_ severity: Severity, file: String?, position: Position?, message: String) {
        self.severity = severity
        self.file = file
        self.position = position
        self.message = message
    }

    /// `station.yaml:12:5: unknown key "torch.lien", did you mean "line"?`, in the way compilers write it; a warning says so.
    public var description: String {
        var place = file.map { "\($0):" } ?? ""
        if let position { place += "\(position):" }
        let kind = severity == .warning ? "warning: " : ""
        return (place.isEmpty ? "" : place + " ") + kind + message
    }
}

/// Everything that is wrong with a configuration, in the order of the file. Never empty.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    public var errors: [ConfigurationProblem]
    /// What else was noticed.
    public var warnings: [ConfigurationProblem]

    public init(errors: [ConfigurationProblem], warnings: [ConfigurationProblem] = []) {
        self.errors = errors
        self.warnings = warnings
    }

    /// One error a line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
