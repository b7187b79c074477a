/// What speaks for one code at one place: the passes that found it, by decoder. One rule for a still picture's passes and for frames.
package struct EvidenceTally: Hashable, Sendable {
    /// Each pass votes once, however many frames it found the code in: noise alone makes no other look.
    package private(set) var zxingPasses: Set<Int> = []
    package private(set) var zbarPasses: Set<Int> = []
    /// Most scan lines that agreed in one of ZBar's passes.
    package private(set) var zbarLines = 0
    /// Most scan lines that agreed in one of ZXing's passes; of a matrix code, the most of its error correction that was left, in percent.
    private var zxingStrength = 0
    /// Highest margin of the soft reader's looks; `nil`: it saw nothing.
    package private(set) var softMargin: Int?

    /// The margin at which the soft reader suffices alone, for the longer codes, Code 39, ITF-14, Code 93 and Codabar. Of 10,000 drawn EAN and UPC from 12 on, 8 were
    /// wrong with checks off, none with them; of 4,197 Code 128 none (Benchmarks, `soft-reader`). `BarFamily` asks for more of Code 39,
    /// ITF-14 and Codabar before there is a reading.
    private static let soundMargin = 12

    /// The margin at which it suffices alone for a live QR code or Data Matrix: 38 bits. There is a reading from 24 bits on (`RestoredBlock`); a place has up to
    /// fifty tries, a picture some hundreds, and a camera may look for hours at a code that can't be read. More pictures of it are no other observation: the
    /// same fold is in each.
    private static let clearMargin = 26

    /// A matrix code that only the soft reader restores, and just.
    private func isWeaklyRestored(_ symbology: Symbology) -> Bool {
        guard symbology.isRestorable, !decodersAgree, let softMargin else { return false }
        return softMargin < Self.clearMargin
    }

    /// Different pictures that showed it.
    private var pictures: Set<UInt64> = []

    package init() {}

    /// - Parameters:
    ///   - strength: see `Evidence.strength`.
    ///   - picture: a hash of the picture; `nil` where all looks are at the same one.
    package mutating func add(_ decoder: Evidence.Decoder, pass: Int, strength: Int, picture: UInt64? = nil) {
        switch decoder {
        case .zxing:
            zxingPasses.insert(pass)
            zxingStrength = max(zxingStrength, strength)
        case .zbar:
            zbarPasses.insert(pass)
            zbarLines = max(zbarLines, strength)
        case .soft: softMargin = max(softMargin ?? 0, strength)
        }
        if let picture, pictures.count < Self.convincingPictures { pictures.insert(picture) }
    }

    /// Error correction doesn't make up the same data in this many pictures.
    private static let agreeingPictures = 2
    /// This many pictures vouch for a number that nobody contradicts, while only one pass can read it.
    private static let convincingPictures = 4

    /// This many scan lines that agree are beyond doubt. Wrong numbers of ZXing's had up to 9, ZBar's up to 17.
    private static let soundLines = (zxing: 16, zbar: 32)

    /// With this much of a matrix code's error correction left, in percent, one pass is believed. Of 150 PDF417 that were drawn too small, blurred, slanted or on
    /// waves, 27 gave ZXing-C++ 3.1.1 a wrong text in one of 30 looks, 26 of them with nothing left, which are no readings any more (frames of a hand repeat them), one with
    /// an eighth or more. Aztec and Micro QR gave none.
    private static let soundCorrection = 50

    package var hasSoundCorrection: Bool { zxingStrength >= Self.soundCorrection }

    /// Whether it is a retail number that few scan lines speak for. One digit too many is a wrong price; and what makes a 7 of a 1 on one line does
    /// so on the next.
    package func isDoubtful(for symbology: Symbology) -> Bool {
        switch symbology {
        case .ean13, .ean8, .upcA, .upcE: zxingStrength < Self.soundLines.zxing && zbarLines < Self.soundLines.zbar
        default: false
        }
    }

    /// Whether more than one decoder found it.
    package var decodersAgree: Bool { decoderCount >= 2 }

    private var decoderCount: Int {
        (zxingPasses.isEmpty ? 0 : 1) + (zbarPasses.isEmpty ? 0 : 1) + (softMargin == nil ? 0 : 1)
    }

    private var isSoundAlone: Bool { softMargin.map { $0 >= Self.soundMargin } ?? false }

    /// Votes in favour. ZXing's count threefold: it asks for two equal scan lines, where ZBar takes what it gets. The soft reader's is worth less than
    /// one look of ZXing's that says something else.
    package var score: Int { 3 * zxingPasses.count + zbarPasses.count + (softMargin == nil ? 0 : 2) }

    /// Whether it suffices by itself, were there nothing else at its place. Measured on the corpus (Benchmarks): what one pass
    /// alone saw in a symbology without error detection to speak of was wrong more often than right.
    /// - Parameter bytes: how many the code holds; 0 for a rule that holds however many there are.
    package func suffices(for symbology: Symbology, bytes: Int = 0) -> Bool {
        switch symbology {
        case .dataMatrix, .maxiCode, .qrCode, .rmqrCode: true
        case .aztec where bytes >= Self.bytesOfLargeAztec: !zxingPasses.isEmpty
        case .aztec, .microQRCode, .pdf417:
            // See `correctionMayInvent`.
            zxingPasses.count >= 2 || hasSoundCorrection
        case .dataBar, .dataBarLimited:
            !zxingPasses.isEmpty || zbarPasses.count >= 2 || zbarLines >= 5
        case .dataBarExpanded:
            // ZBar gets some of its encodings wrong, however often it looks.
            !zxingPasses.isEmpty
        case .ean13, .upcA, .code128:
            !zxingPasses.isEmpty || zbarLines >= 20 || zbarPasses.count >= 2 && zbarLines >= 2 || isSoundAlone
                || decoderCount >= 2
        case .codabar, .code39, .code39Mod43, .code93, .itf, .itf14:
            // The soft reader has seen start and stop; of Interleaved 2 of 5, it reads fourteen digits with their check digit alone.
            sufficesAsShort || isSoundAlone
        case .ean8, .upcE: sufficesAsShort
        }
    }

    /// By chance, the fifteen check words of eight bits or more that so long an Aztec has (23 % of three layers' words, and three) fit data that is made up
    /// one time in 10¹¹. Libraries that don't say how much of them was left often read it in one pass alone.
    package static let bytesOfLargeAztec = 24

    /// For codes that have no check to speak of, or are short.
    private var sufficesAsShort: Bool {
        zxingPasses.count >= 2 || decoderCount >= 2 || zbarLines >= 25 || zbarPasses.count >= 3 && zbarLines >= 10
    }

    /// Whether a live code may be scanned on it. As much as a still picture asks for; and where one decoder alone is to be believed on few scan lines,
    /// several pictures. In their place, they also serve a code that one pass of ZXing's alone can read.
    package func convinces(for symbology: Symbology) -> Bool {
        if symbology.correctionMayInvent { return zxingPasses.count >= 2 || pictures.count >= Self.agreeingPictures }
        if isWeaklyRestored(symbology) { return false }
        if decodersAgree || softMargin != nil { return suffices(for: symbology) }
        let isSeenOften = pictures.count >= Self.convincingPictures
        if zxingPasses.isEmpty { return suffices(for: symbology) && (isSeenOften || !isDoubtful(for: symbology)) }
        if isSeenOften { return true }
        return suffices(for: symbology) && (zxingPasses.count >= 2 || !isDoubtful(for: symbology))
    }

    /// Whether it pays to look at a live code again at once: one pass of ZBar's, which doesn't suffice, and would if another pass of ZBar saw the same;
    /// what the soft reader alone saw; one pass of ZXing's at a doubtful number, or at a code that takes two; or one look at a matrix code whose error
    /// correction invents data.
    package func wantsAnotherPass(for symbology: Symbology) -> Bool {
        if symbology.correctionMayInvent { return zxingPasses.count < 2 && pictures.count < Self.agreeingPictures }
        if decoderCount == 1, zxingPasses.count == 1, isDoubtful(for: symbology) || !suffices(for: symbology) {
            return pictures.count < Self.convincingPictures
        }
        if isWeaklyRestored(symbology) { return true }
        guard zxingPasses.isEmpty, !suffices(for: symbology) else { return false }
        if softMargin != nil { return true }
        guard zbarPasses.count == 1 else { return false }
        var other = self
        other.zbarPasses.insert(.max)
        return other.suffices(for: symbology)
    }
}
