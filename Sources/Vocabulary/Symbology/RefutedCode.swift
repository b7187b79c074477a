/// A retail number or a Code 128 that a decoder read in a live frame, and that the soft reader reads otherwise between the same ends.
package struct RefutedCode: Hashable, Sendable {
    package var symbology: Symbology
    /// The data, as in `Symbol.bytes`.
    package var bytes: [UInt8]

    package init(symbology: Symbology, bytes: [UInt8]) {
        self.symbology = symbology
        self.bytes = bytes
    }
}
