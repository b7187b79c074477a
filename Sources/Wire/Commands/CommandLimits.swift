/// The limits of a line with a command. When one is hit, the error names it.
package struct CommandLimits: Hashable, Sendable {
    /// Bytes of a line.
    package var maxLineBytes: Int
    /// Objects and arrays within each other.
    package var maxDepth: Int
    /// Characters of an id, a reason or an event type.
    package var maxTextLength: Int
    /// Settings in one `set`.
    package var maxSettings: Int

    package init(
        maxLineBytes: Int = 65_536, maxDepth: Int = 32, maxTextLength: Int = 256, maxSettings: Int = 64
    ) {
        self.maxLineBytes = maxLineBytes
        self.maxDepth = maxDepth
        self.maxTextLength = maxTextLength
        self.maxSettings = maxSettings
    }
}
