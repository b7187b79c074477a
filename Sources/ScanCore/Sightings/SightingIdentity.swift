import Vocabulary

/// What makes two symbols in two frames the same code.
package struct SightingIdentity: Hashable, Sendable {
    package var symbology: Symbology
    package var bytes: [UInt8]
    /// Tells equal codes in one frame apart: 0 for the first, in reading order of their appearance.
    package var ordinal: Int

    package init(symbology: Symbology, bytes: [UInt8], ordinal: Int) {
        self.symbology = symbology
        self.bytes = bytes
        self.ordinal = ordinal
    }
}
