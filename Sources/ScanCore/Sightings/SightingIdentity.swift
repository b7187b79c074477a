/// What makes two symbols in two frames the same code.
public struct SightingIdentity: Hashable, Sendable {
    public var symbology: Symbology
    public var bytes: [UInt8]
    /// Tells equal codes in one frame apart: 0 for the first, in reading order of their appearance.
    public var ordinal: Int

    public init(symbology: Symbology, bytes: [UInt8], ordinal: Int) {
        self.symbology = symbology
        self.bytes = bytes
        self.ordinal = ordinal
    }
}
