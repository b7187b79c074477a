/// A retail number that a decoder read in a live frame, and that the soft reader reads otherwise between the same ends.
package struct RefutedNumber: Hashable, Sendable {
    package var symbology: Symbology
    /// The digits, as in `Symbol.bytes`.
    package var bytes: [UInt8]

    package init(symbology: Symbology, bytes: [UInt8]) {
        self.symbology = symbology
        self.bytes = bytes
    }
}
