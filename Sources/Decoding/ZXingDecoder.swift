import CZXing
import Vocabulary

/// ZXing-C++ on one plane.
struct ZXingDecoder {
    /// - Parameter readsAddOns: also reads EAN-2 and EAN-5 beside EAN/UPC.
    /// - Returns: nothing if the library fails.
    func read(
        _ plane: LumaPlane, pass: ReadPass, binarizer: ReadPass.Binarizer, symbologies: DecoderSymbologies,
        readsAddOns: Bool
    ) -> [PassReading] {
        var options = CZXing_Options()
        options.symbologies = symbologies.mask
        options.binarizer = binarizer.rawValue
        options.add_ons = UInt8(readsAddOns ? CZXING_ADD_ON_READ : CZXING_ADD_ON_IGNORE)
        options.try_harder = pass.triesHarder ? 1 : 0
        options.try_rotate = pass.rotates ? 1 : 0
        options.try_downscale = pass.downscales ? 1 : 0
        options.min_line_count = pass.minLineCount
        options.max_symbols = 255
        var found = CZXing_Symbols()
        let status = CZXing_read(
            plane.pixels, Int32(plane.width), Int32(plane.height), Int32(plane.rowStride), &options, &found, nil, 0)
        defer { CZXing_free(&found) }
        guard Int(status) == CZXING_OK else { return [] }
        return UnsafeBufferPointer(start: found.items, count: found.count).compactMap { symbol in
            guard var reading = PassReading(symbol, by: plane.map) else { return nil }
            // ZXing gives a MaxiCode no corners but 0, 0 (its issue 946): it is somewhere in the plane.
            if reading.corners.isPoint { reading.corners = Quad(at: plane.middle) }
            return reading
        }
    }
}

extension PassReading {
    init?(_ symbol: CZXing_Symbol, by map: PlaneMap) {
        guard let symbology = Symbology(code: symbol.symbology), let data = symbol.bytes,
            symbology.isChecked(bytes: symbol.byte_count, spareCorrection: symbol.spare_correction)
        else { return nil }
        self.init(
            symbology: symbology,
            bytes: Array(UnsafeBufferPointer(start: data, count: symbol.byte_count)),
            aim: string(of: symbol.aim),
            corners: Quad(symbol.corners, by: map),
            isInverted: symbol.is_inverted != 0,
            decoder: .zxing,
            strength: Int(symbology.isLinear ? symbol.line_count : max(0, symbol.spare_correction)))
        if symbology.isLinear {
            // Two lines that agreed, or the same line twice.
            scanLine = corners.middleLine
        }
        if let start = symbol.text {
            text = start.withMemoryRebound(to: UInt8.self, capacity: symbol.text_length) {
                String(validating: UnsafeBufferPointer(start: $0, count: symbol.text_length), as: UTF8.self)
            }
        }
        hasCharacterSet = symbol.has_eci != 0
        let digits = string(of: symbol.add_on)
        addOn = digits.isEmpty ? nil : digits
        if symbol.sequence_index >= 0 {
            structuredAppend = StructuredAppend(
                index: Int(symbol.sequence_index), count: Int(symbol.sequence_count),
                id: string(of: symbol.sequence_id))
        }
    }
}

extension Symbology {
    /// Whether anything checks what error correction has made of a code, where it may have made it up (`correctionMayInvent`). ZXing fills in missing words of a PDF417
    /// and tries many combinations of doubtful ones until the check words fit; with none of them to spare something fits now and then, and in a hand's next frame the
    /// same again. A drawn one of 1.5 pixels a module was scanned as something that nobody had printed in 7 of 200 shows (Benchmarks, drawn codes). Small Aztec and
    /// Micro QR codes have so few check words that up to 3 % of nonsense fits with none to spare.
    /// - Parameters:
    ///   - bytes: how many it holds.
    ///   - spareCorrection: how much of its error correction was left, in percent; negative: the library doesn't say.
    func isChecked(bytes: Int, spareCorrection: Int32) -> Bool {
        !correctionMayInvent || spareCorrection != 0 || self == .aztec && bytes >= EvidenceTally.bytesOfLargeAztec
    }
}

/// The characters before the NUL in a C array, which Swift imports as a tuple.
private func string<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
