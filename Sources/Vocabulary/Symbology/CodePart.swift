/// A linear code that may be a part of a longer one. Where bars are slanted, a scan line enters or leaves them in the middle: of an Interleaved 2 of 5 it
/// sees fewer digits, and of an EAN-13 the inner eight, which may fit an EAN-8's check digit.
package struct CodePart {
    private let symbology: Symbology
    private let bytes: [UInt8]
    private let corners: Quad

    /// The least that both share, of the smaller one's area: either may have been followed over some of its height. Codes one above the other may touch.
    private static let leastShared = 0.25

    /// - Parameter corners: its extent, in the same units as the other's.
    package init(_ symbology: Symbology, _ bytes: [UInt8], at corners: Quad) {
        (self.symbology, self.bytes, self.corners) = (symbology, bytes, corners)
    }

    /// Whether `whole` says what this one says, and more, at the same place.
    package func isPart(of whole: CodePart) -> Bool {
        symbology.isLinear && whole.symbology.isLinear && bytes.count < whole.bytes.count
            && whole.bytes.contains(bytes) && corners.shared(with: whole.corners) >= Self.leastShared
    }
}
