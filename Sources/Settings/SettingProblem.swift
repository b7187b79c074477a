import Vocabulary

/// Something that is wrong with the settings, and the key that it is about. An error keeps the station from starting, a warning
/// doesn't.
package struct SettingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Hashable, Sendable {
        case error, warning
    }

    package var severity: Severity
    /// As in the configuration file: `outputs[1].webhook.url`. If the file doesn't have this key, the section around it is meant.
    package var path: String
    /// The whole sentence, with the key where it matters. One line, whatever it quotes.
    package var message: String

    package init(_ severity: Severity = .error, path: String, message: String) {
        self.severity = severity
        self.path = path
        self.message = message.asOneLine
    }

    /// `PATH: MESSAGE`.
    package init(_ severity: Severity = .error, at path: String, _ message: String) {
        self.init(severity, path: path, message: "\(path): \(message)")
    }

    package var description: String { message }
}
