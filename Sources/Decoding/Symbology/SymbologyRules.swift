import ReaderProtocol
import Vocabulary

/// Applies the station's rules to what a decoder read: names it (EAN-13 or UPC-A, ITF or ITF-14, Code 39 with or without its check
/// character), checks it (lengths, check digits), gives it the right AIM modifier, and strips it if asked to.
package struct SymbologyRules: Sendable {
    /// A symbol's data after the rules.
    package struct Verdict: Hashable, Sendable {
        package var symbology: Symbology
        package var aim: String
        package var bytes: [UInt8]

        package init(symbology: Symbology, aim: String, bytes: [UInt8]) {
            self.symbology = symbology
            self.aim = aim
            self.bytes = bytes
        }
    }

    private let rules: DecodeRules

    package init(_ rules: DecodeRules) {
        self.rules = rules
    }

    /// What a decoder must look for so that everything in the rules can be found.
    package var decoderSymbologies: Set<Symbology> {
        var wanted = Set(rules.symbologies.keys)
        if wanted.remove(.code39Mod43) != nil { wanted.insert(.code39) }
        if wanted.remove(.itf14) != nil { wanted.insert(.itf) }
        return wanted
    }

    /// Whether the rules ask for a symbology by this name.
    func wants(_ symbology: Symbology) -> Bool { rules.symbologies[symbology] != nil }

    /// Whether the rules ask for a symbology by this name and admit light bars or modules on dark ground.
    func admitsInverted(_ symbology: Symbology) -> Bool { rules.symbologies[symbology]?.inverse == true }

    /// Whether there is a symbology that the rules ask for, but not inverted.
    var refusesInverted: Bool { rules.symbologies.values.contains { !$0.inverse } }

    /// `verdict` without the reason.
    /// - Returns: `nil` if the rules don't admit it.
    package func judge(
        symbology: Symbology, bytes: [UInt8], aim: String, hasAddOn: Bool = false, characterCount: Int? = nil
    ) -> Verdict? {
        try? verdict(
            symbology: symbology, bytes: bytes, aim: aim, hasAddOn: hasAddOn, characterCount: characterCount
        ).get()
    }

    /// Why the rules don't admit what was read.
    enum Refusal: Error, Hashable {
        /// They don't ask for this symbology.
        case notWanted(Symbology)
        /// Its length in characters.
        case length(Symbology, Int)
        case checkDigit(Symbology)
    }

    /// What the rules make of what a decoder read.
    /// - Parameters:
    ///   - symbology: as the decoder names it. To a decoder, EAN-13 with a leading zero and UPC-A are the same.
    ///   - bytes: the data, check digit included; EAN/UPC without add-on.
    ///   - characterCount: length of the data as text, if that isn't the number of bytes.
    func verdict(
        symbology: Symbology, bytes: [UInt8], aim: String, hasAddOn: Bool = false, characterCount: Int? = nil
    ) -> Result<Verdict, Refusal> {
        let verdict: Verdict?
        switch symbology {
        case .ean13, .upcA: verdict = retail(bytes, hasAddOn: hasAddOn)
        case .upcE: verdict = upcE(bytes, hasAddOn: hasAddOn)
        case .ean8: verdict = ean8(bytes)
        case .itf, .itf14: verdict = itf(bytes)
        case .code39, .code39Mod43: verdict = code39(bytes)
        case .codabar: verdict = codabar(bytes)
        default: verdict = Verdict(symbology: symbology, aim: aim, bytes: bytes)
        }
        // Lengths are those of the code, so they don't depend on stripping.
        let length = characterCount ?? bytes.count
        guard let verdict else { return .failure(.checkDigit(symbology)) }
        guard let rule = rules.symbologies[verdict.symbology] else {
            return .failure(refusal(ofUnwanted: verdict.symbology, length: length))
        }
        return length >= rule.minLength && length <= rule.maxLength
            ? .success(verdict) : .failure(.length(verdict.symbology, length))
    }

    /// ITF and Code 39 that would count as their variants with a check digit, if they had one.
    private func refusal(ofUnwanted symbology: Symbology, length: Int) -> Refusal {
        if symbology == .itf, rules.symbologies[.itf14] != nil {
            return length == 14 ? .checkDigit(.itf14) : .notWanted(.itf)
        }
        if symbology == .code39, rules.symbologies[.code39Mod43] != nil { return .checkDigit(.code39Mod43) }
        return .notWanted(symbology)
    }

    /// The default AIM identifier of a symbology, for decoders that don't give one.
    package static func defaultAIM(for symbology: Symbology, isGS1: Bool = false) -> String {
        switch symbology {
        case .aztec: isGS1 ? "]z1" : "]z0"
        case .codabar: "]F0"
        case .code39: "]A0"
        case .code39Mod43: "]A1"
        case .code93: "]G0"
        case .code128: isGS1 ? "]C1" : "]C0"
        case .dataBar, .dataBarExpanded, .dataBarLimited: "]e0"
        case .dataMatrix: isGS1 ? "]d2" : "]d1"
        case .ean8: "]E4"
        case .ean13, .upcA, .upcE: "]E0"
        case .itf: "]I0"
        case .itf14: "]I1"
        case .maxiCode: "]U0"
        case .microQRCode: "]Q1"
        case .pdf417: "]L0"
        case .qrCode, .rmqrCode: isGS1 ? "]Q3" : "]Q1"
        }
    }

    /// UPC-A is an EAN-13 that begins with 0: it counts as UPC-A if the rules ask for that, otherwise as EAN-13.
    private func retail(_ bytes: [UInt8], hasAddOn: Bool) -> Verdict? {
        guard bytes.count == 12 || bytes.count == 13, CheckDigit.isValidGS1Mod10(bytes) else { return nil }
        let full = bytes.count == 12 ? [CheckDigit.zero] + bytes : bytes
        let aim = hasAddOn ? "]E3" : "]E0"
        if full[0] == CheckDigit.zero, rules.symbologies[.upcA] != nil {
            return Verdict(symbology: .upcA, aim: aim, bytes: Array(full.dropFirst()))
        }
        return Verdict(symbology: .ean13, aim: aim, bytes: full)
    }

    /// Number system 0 alone: 1 is in no specification any more (GS1 General Specifications, 5.2.2.4), and has the very bars of an EAN-13 whose right
    /// half is covered.
    private func upcE(_ bytes: [UInt8], hasAddOn: Bool) -> Verdict? {
        guard bytes.first == CheckDigit.zero, let full = UPCE.expanded(bytes), CheckDigit.isValidGS1Mod10(full) else {
            return nil
        }
        return Verdict(symbology: .upcE, aim: hasAddOn ? "]E3" : "]E0", bytes: bytes)
    }

    private func ean8(_ bytes: [UInt8]) -> Verdict? {
        guard bytes.count == 8, CheckDigit.isValidGS1Mod10(bytes) else { return nil }
        return Verdict(symbology: .ean8, aim: "]E4", bytes: bytes)
    }

    private func itf(_ bytes: [UInt8]) -> Verdict? {
        let isValid = CheckDigit.isValidGS1Mod10(bytes)
        if bytes.count == 14, isValid, let rule = rules.symbologies[.itf14] {
            return rule.checkDigit == .strip
                ? Verdict(symbology: .itf14, aim: "]I3", bytes: bytes.dropLast())
                : Verdict(symbology: .itf14, aim: "]I1", bytes: bytes)
        }
        switch rules.symbologies[.itf]?.checkDigit ?? .none {
        case .none: return Verdict(symbology: .itf, aim: "]I0", bytes: bytes)
        case .verify: return isValid ? Verdict(symbology: .itf, aim: "]I1", bytes: bytes) : nil
        case .strip: return isValid ? Verdict(symbology: .itf, aim: "]I3", bytes: bytes.dropLast()) : nil
        }
    }

    /// With a valid check character it is Code 39 mod 43, if the rules ask for that. By chance, so is one in 43 of those without one.
    private func code39(_ bytes: [UInt8]) -> Verdict? {
        let isValid = CheckDigit.isValidMod43(bytes)
        let name: Symbology
        let check: CheckDigitRule
        if isValid, let rule = rules.symbologies[.code39Mod43] {
            name = .code39Mod43
            check = rule.checkDigit == .strip ? .strip : .verify
        } else {
            name = .code39
            check = rules.symbologies[.code39]?.checkDigit ?? .none
        }
        guard check == .none || isValid else { return nil }
        let data = check == .strip ? bytes.dropLast() : bytes
        let number = rules.symbologies[name]?.code32 == true ? Code32.decoded(data) : nil
        // A pharmaceutical number has none of the characters that begin a pair.
        let ascii = rules.symbologies[name]?.fullASCII == true ? Code39FullASCII.decoded(data) : nil
        let modifier: Int
        switch check {
        case .none: modifier = 0
        case .verify: modifier = 1
        case .strip: modifier = 3
        }
        return Verdict(symbology: name, aim: "]A\(modifier + (ascii == nil ? 0 : 4))", bytes: number ?? ascii ?? data)
    }

    private func codabar(_ bytes: [UInt8]) -> Verdict? {
        let upper = bytes.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "d") ? $0 - 32 : $0 }
        let check = rules.symbologies[.codabar]?.checkDigit ?? .none
        guard check == .none || CheckDigit.isValidMod16(upper) else { return nil }
        switch check {
        case .none: return Verdict(symbology: .codabar, aim: "]F0", bytes: upper)
        case .verify: return Verdict(symbology: .codabar, aim: "]F2", bytes: upper)
        case .strip:
            return Verdict(symbology: .codabar, aim: "]F4", bytes: upper.dropLast(2) + upper.suffix(1))
        }
    }
}
