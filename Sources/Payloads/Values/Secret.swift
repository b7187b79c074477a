/// A password or key that came with a code. Printing, logging or dumping it shows `(redacted)`, unless the station is set
/// to show secrets (`payloads.revealSecrets`); the value is had only by asking for it.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public static let redacted = "(redacted)"

    private let value: String
    /// Whether `description`, and so the wire format, shows the value.
    public let isRevealed: Bool

    public init(_ value: String, isRevealed: Bool = false) {
        self.value = value
        self.isRevealed = isRevealed
    }

    /// The value itself, whatever `isRevealed` says.
    public func reveal() -> String { value }

    public var description: String { isRevealed ? value : Secret.redacted }
    public var debugDescription: String { description }
    /// Empty, so that `dump` doesn't walk into the stored value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
