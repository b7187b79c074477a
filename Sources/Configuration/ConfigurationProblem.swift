import Settings
import Vocabulary

/// One thing that is wrong in a configuration, and where. An error keeps the station from starting, a warning doesn't.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    package typealias Severity = SettingProblem.Severity

    package var severity: Severity
    /// The file's name as it was given; `nil` where the settings didn't come from a file.
    package var file: String?
    /// Both count from 1, columns in Unicode scalars; `nil` when the problem is the file itself or something missing from it.
    package var position: Position?
    /// One line, whatever it quotes of the file: YAML has escapes for line ends and control characters.
    package var message: String

    package struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        package static func < (a: Position, b: Position) -> Bool { (a.line, a.column) < (b.line, b.column) }

        package var description: String { "\(line):\(column)" }
    }

    package init(_ severity: Severity, file: String?, position: Position?, message: String) {
        self.severity = severity
        self.file = file
        self.position = position
        self.message = message.asOneLine
    }

    /// `station.yaml:12:5: unknown key "torch.lien", did you mean "line"?`, as compilers write it; a warning says that it is one.
    package var description: String {
        var place = file.map { "\($0):" } ?? ""
        if let position { place += "\(position):" }
        let kind = severity == .warning ? "warning: " : ""
        return (place.isEmpty ? "" : place + " ") + kind + message
    }
}

/// Everything that is wrong with a configuration, in the order of the file. Never empty.
package struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    package var errors: [ConfigurationProblem]
    /// Warnings found on the way.
    package var warnings: [ConfigurationProblem]

    package init(errors: [ConfigurationProblem], warnings: [ConfigurationProblem] = []) {
        self.errors = errors
        self.warnings = warnings
    }

    /// One error per line.
    package var description: String { errors.map(\.description).joined(separator: "\n") }
}
