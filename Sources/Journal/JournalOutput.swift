/// An output as the journal knows it.
public struct JournalOutput: Hashable, Sendable {
    public var name: String
    /// Whether scans are kept until it has settled them.
    public var isRequired: Bool

    public init(name: String, isRequired: Bool) {
        self.name = name
        self.isRequired = isRequired
    }
}
