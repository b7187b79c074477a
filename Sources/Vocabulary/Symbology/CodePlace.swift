/// A place of a frame where a code is likely, found without a decoder: whatever a decoder then makes of it. Codes without bars or finder
/// patterns have none: print and wood look the same.
package struct CodePlace: Hashable, Sendable {
    package enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// Parallel bars.
        case bars = 1
        /// Finder patterns of QR codes.
        case finders = 2
    }

    package var kind: Kind
    /// On the frame, normalised to 0…1.
    package var corners: Quad

    /// Whether a code of `symbology` may lie there. PDF417 and stacked DataBar have bars, too.
    package func fits(_ symbology: Symbology) -> Bool {
        switch symbology {
        case .qrCode, .microQRCode, .rmqrCode: kind == .finders
        case .pdf417: kind == .bars
        case .aztec, .dataMatrix, .maxiCode: false
        default: kind == .bars
        }
    }

    package init(kind: Kind, corners: Quad) {
        self.kind = kind
        self.corners = corners
    }
}
