import Settings

/// A password or key that came with a code. Printing, logging or dumping it shows `(redacted)`, unless the station is set
/// to show secrets (`payloads.revealSecrets`); only `value` gives it away.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package static let redacted = "(redacted)"

    private let value: String
    /// Whether `description`, and so the wire format, shows the value.
    package let isRevealed: Bool

    package init(_ value: String, isRevealed: Bool = false) {
        self.value = value
        self.isRevealed = isRevealed
    }

    /// The value itself, whatever `isRevealed` says.
    package func reveal() -> String { value }

    func text(under policy: SecretPolicy) -> String {
        switch policy {
        case .asConfigured: description
        case .revealed: reveal()
        case .withheld: Secret.redacted
        }
    }

    package var description: String { isRevealed ? value : Secret.redacted }
    package var debugDescription: String { description }
    /// Empty, so that `dump` doesn't walk into the stored value.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
