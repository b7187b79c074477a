/// An output as the journal knows it.
package struct JournalOutput: Hashable, Sendable {
    package var name: String
    /// Whether scans are kept until it has settled them.
    package var isRequired: Bool

    package init(name: String, isRequired: Bool) {
        self.name = name
        self.isRequired = isRequired
    }
}
