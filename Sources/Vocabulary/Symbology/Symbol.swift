/// One code decoded in one frame.
package struct Symbol: Hashable, Sendable {
    package var symbology: Symbology
    /// AIM symbology identifier (ISO/IEC 15424) with its modifier, such as `]E0`; empty if the decoder gives none.
    package var aim: String
    /// The data as the code carries it, GS (0x1D) kept. The truth; `text` is a reading of it.
    package var bytes: [UInt8]
    /// `bytes` as text in the code's character set; `nil` when they aren't text.
    package var text: String?
    /// Corners on the upright frame, normalised 0…1.
    package var corners: Quad
    /// Digits of a 2- or 5-digit EAN/UPC add-on, if one was read.
    package var addOn: String?
    /// Light modules on dark ground.
    package var isInverted: Bool
    /// How it was seen: two symbols with equal evidence are one observation, not two.
    package var evidence: Evidence
    /// Position in a structured-append series, if the code belongs to one.
    package var structuredAppend: StructuredAppend?

    package init(
        symbology: Symbology, aim: String = "", bytes: [UInt8], text: String?, corners: Quad, addOn: String? = nil,
        isInverted: Bool = false, evidence: Evidence = Evidence(), structuredAppend: StructuredAppend? = nil
    ) {
        self.symbology = symbology
        self.aim = aim
        self.bytes = bytes
        self.text = text
        self.corners = corners
        self.addOn = addOn
        self.isInverted = isInverted
        self.evidence = evidence
        self.structuredAppend = structuredAppend
    }

    /// Whether `other`, from another look at the same scene, is this code again: the same data at the same place.
    package func isSameCode(as other: Symbol) -> Bool {
        guard symbology == other.symbology, bytes == other.bytes else { return false }
        guard symbology.hasKnownPlace else { return true }
        return corners.isSamePlace(as: other.corners, arePartial: symbology.isLinear && !isOfOneLook(with: other))
    }

    /// Whether one pass over the same pixels found both: then they are two codes.
    package func isOfOneLook(with other: Symbol) -> Bool {
        evidence.decoder == other.evidence.decoder && evidence.pass == other.evidence.pass
            && evidence.content == other.evidence.content
    }
}

/// What a symbol rests on, for agreement of weak symbologies.
package struct Evidence: Hashable, Sendable {
    package enum Decoder: UInt8, Hashable, Sendable {
        case zxing = 1
        case zbar = 2
        /// Our own readers: of EAN, UPC, Code 128, Code 39, ITF-14, Code 93 and Codabar (`SoftReader`), and of QR and Data Matrix codes (`QRCodeReader`, `DataMatrixReader`).
        case soft = 3
    }

    package var decoder: Decoder
    /// Which pass of the read strategy found it (binarizer, rotation, crop).
    package var pass: UInt8
    /// How much this look vouches for what it read; 0 where the decoder doesn't say. Of a linear code, how many scan lines agreed inside the decoder; of a
    /// matrix code, how much of its error correction ZXing has left, in percent. The soft reader's: its margin over
    /// the next likeliest bars, the logarithm of a likelihood ratio, rounded down; of a QR or Data Matrix code, the logarithm of how unlikely it is that error correction
    /// has made it up.
    package var strength: Int
    /// A hash of the pixels that were decoded, so that the same picture isn't counted as two observations.
    package var content: UInt64

    package init(decoder: Decoder = .zxing, pass: UInt8 = 0, strength: Int = 0, content: UInt64 = 0) {
        self.decoder = decoder
        self.pass = pass
        self.strength = strength
        self.content = content
    }
}

/// A code's place in a series of codes that make one message.
package struct StructuredAppend: Hashable, Sendable {
    /// 0-based place.
    package var index: Int
    /// Number of codes in the series; 0 when unknown.
    package var count: Int
    /// What the codes of one series have in common (parity or file id).
    package var id: String

    package init(index: Int, count: Int, id: String) {
        self.index = index
        self.count = count
        self.id = id
    }
}
