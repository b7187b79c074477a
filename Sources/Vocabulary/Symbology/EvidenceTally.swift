/// What speaks for one code at one place: the passes that found it, by decoder. One rule for a still picture's passes and for frames.
package struct EvidenceTally: Hashable, Sendable {
    /// Each pass votes once, however many frames it found the code in: noise alone makes no other look.
    package private(set) var zxingPasses: Set<Int> = []
    package private(set) var zbarPasses: Set<Int> = []
    /// Most scan lines that agreed in one of ZBar's passes.
    package private(set) var zbarLines = 0
    /// Highest margin of the soft reader's looks; `nil`: it saw nothing.
    package private(set) var softMargin: Int?

    /// A margin that suffices by itself for the longer codes. Of 10,000 drawn codes with margins from 12 on, 8 were wrong with the check digit
    /// switched off, and none with it (Benchmarks, `soft-reader`).
    private static let soundMargin = 12

    package init() {}

    package mutating func add(_ decoder: Evidence.Decoder, pass: Int, lineCount: Int) {
        switch decoder {
        case .zxing: zxingPasses.insert(pass)
        case .zbar:
            zbarPasses.insert(pass)
            zbarLines = max(zbarLines, lineCount)
        case .soft: softMargin = max(softMargin ?? 0, lineCount)
        }
    }

    private var isSoundAlone: Bool { softMargin.map { $0 >= Self.soundMargin } ?? false }

    /// Votes in favour. ZXing's count threefold: it asks for two equal scan lines, where ZBar takes what it gets.
    package var score: Int { 3 * zxingPasses.count + zbarPasses.count + (softMargin == nil ? 0 : 3) }

    /// Whether it suffices by itself, were there nothing else at its place. Measured on the corpus (Benchmarks): what one pass
    /// alone saw in a symbology without error detection to speak of was wrong more often than right.
    package func suffices(for symbology: Symbology) -> Bool {
        switch symbology {
        case .aztec, .dataMatrix, .maxiCode, .microQRCode, .pdf417, .qrCode, .rmqrCode:
            // Reed-Solomon vouches for it.
            true
        case .dataBar, .dataBarLimited:
            !zxingPasses.isEmpty || zbarPasses.count >= 2 || zbarLines >= 5
        case .dataBarExpanded:
            // ZBar gets some of its encodings wrong, however often it looks.
            !zxingPasses.isEmpty
        case .ean13, .upcA, .code128:
            !zxingPasses.isEmpty || zbarLines >= 20 || zbarPasses.count >= 2 && zbarLines >= 2 || isSoundAlone
                || softMargin != nil && !zbarPasses.isEmpty
        case .codabar, .code39, .code39Mod43, .code93, .ean8, .itf, .itf14, .upcE:
            softMargin != nil && !(zxingPasses.isEmpty && zbarPasses.isEmpty) || zxingPasses.count >= 2 || !zxingPasses.isEmpty && !zbarPasses.isEmpty || zbarLines >= 25
                || zbarPasses.count >= 3 && zbarLines >= 10
        }
    }

    /// Whether it is one pass of ZBar's, which doesn't suffice, and would if another pass of ZBar saw the same; or what the soft reader alone saw.
    package func wantsAnotherPass(for symbology: Symbology) -> Bool {
        guard zxingPasses.isEmpty, !suffices(for: symbology) else { return false }
        if softMargin != nil { return true }
        guard zbarPasses.count == 1 else { return false }
        var other = self
        other.zbarPasses.insert(.max)
        return other.suffices(for: symbology)
    }
}
