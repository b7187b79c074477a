import SoftReader
import Vocabulary

/// Reads a region whatever the rules ask for: what is read needs no measuring to say why it isn't reported.
final class RegionTrial {
    enum Outcome {
        /// The rules admit it: it is about to be read, or waits for agreement.
        case admitted
        case refused(UnreadCause, figure: Double?, Symbology)
        case nothing
    }

    private let rules: SymbologyRules
    /// New ones for each picture: ZBar's QR reader draws random numbers.
    private let reader = RegionReader(wanted: DecoderSymbologies(Symbology.allCases), readsAddOns: false)
    /// Its rows look like bars.
    private let stacked = RegionReader(wanted: DecoderSymbologies([Symbology.pdf417]), readsAddOns: false)
    private let soft = SoftRegionReader()
    /// Those that the rules ask for, without EAN and UPC, which have a look of their own.
    private let longFamilies: [BarFamily]
    private var crowd: FinderCrowd? = FinderCrowd()

    /// For matrix codes, in pixels of all looks of a picture: then only finder patterns get another one.
    private var budget = 160_000.0
    /// The soft reader's looks that are left: they are costly.
    private var softLooks = 2
    /// Looks for codes of any length that are left: they cost still more.
    private var longLooks = 2
    /// Scan lines that make a symbology credible that nobody asked for.
    private static let manyLines = 16
    /// Shorter ones are read in parts of others.
    private static let leastLength = 3
    /// What makes bars with a wrong check digit credible: they look right in all else.
    private static let wrongCheck = (margin: 40 as Float, explained: 0.93 as Float)

    init(rules: SymbologyRules) {
        self.rules = rules
        let wanted = DecoderSymbologies(rules.decoderSymbologies)
        longFamilies = BarFamily.allCases.filter { $0 != .retail && !$0.symbologies.intersection(wanted).isEmpty }
    }

    func outcome(at region: LocatedRegion, of picture: LumaPlane) -> Outcome {
        var readings: [PassReading] = []
        for (number, look) in looks(at: region).enumerated() {
            let found = look.reader.read(region, of: picture, by: look.pass, crowd: &crowd).filter {
                $0.hasAgreeingLines && !$0.bytes.isEmpty
            }
            for var reading in found {
                reading.pass = number
                readings.append(reading)
            }
            if readings.contains(where: { isAdmitted($0) && isCredible($0, among: readings) }) { break }
            // What one look read needs another one, but not an inverted one.
            if look.isLast && !readings.isEmpty { break }
        }
        return outcome(of: readings, in: picture)
    }

    private struct Look {
        var reader: RegionReader
        var pass: ReadPass
        /// Further looks are for regions that gave nothing.
        var isLast = false
    }

    /// Takes from the budget.
    private func looks(at region: LocatedRegion) -> [Look] {
        func look(_ look: RegionLook) -> Look { Look(reader: reader, pass: look.pass(over: region.kind)) }
        guard region.kind == .bars else {
            let first = look(.zxingLocalAverage)
            let area = region.length * region.height
            let mayLook = budget > 0
            budget -= area
            guard mayLook else { return region.kind == .finders ? [first] : [] }
            guard 3 * area <= budget else { return [first] }
            budget -= 2 * area
            var sharpened = look(.zxingSharpened)
            sharpened.isLast = true
            // What may be inverted is read without being asked for here.
            return [first, sharpened] + (rules.refusesInverted ? [look(.zxingInverted)] : [])
        }
        var global = look(.zxingGlobalHistogram)
        global.isLast = true
        let rows = ReadPass(method: .zxing(.localAverage), target: .matrix, rotates: false, region: .bars)
        let inverted = ReadPass(
            method: .zxing(.localAverage), target: .linear, isInverted: true, rotates: false, region: .bars)
        var looks = [look(.zxingLocalAverage), look(.zbar), global, Look(reader: stacked, pass: rows)]
        if rules.refusesInverted { looks.append(Look(reader: reader, pass: inverted)) }
        return looks
    }

    private func verdict(_ reading: PassReading) -> Result<SymbologyRules.Verdict, SymbologyRules.Refusal> {
        rules.verdict(
            symbology: reading.symbology, bytes: reading.bytes, aim: reading.aim,
            characterCount: reading.bestText?.unicodeScalars.count)
    }

    private func isAdmitted(_ reading: PassReading) -> Bool {
        guard case .success(let verdict) = verdict(reading) else { return false }
        return !reading.isInverted || rules.admitsInverted(verdict.symbology)
    }

    /// Whether it is certain enough to tell a person.
    private func isCredible(_ reading: PassReading, among all: [PassReading]) -> Bool {
        let same = all.filter { $0.symbology == reading.symbology && $0.bytes == reading.bytes }
        let decoders = Set(same.map(\.decoder)).count
        let looks = Set(same.map(\.pass)).count
        switch reading.symbology {
        case .itf, .itf14, .codabar:
            return decoders >= 2 || looks >= 2 && same.contains { $0.strength >= Self.manyLines }
        case .qrCode, .maxiCode, .rmqrCode: return true
        case let symbology where symbology.isLinear:
            return looks >= 2 || same.contains { $0.strength >= Self.manyLines }
        case let symbology where symbology.correctionMayInvent:
            var tally = EvidenceTally()
            for one in same { tally.add(one.decoder, pass: one.pass, strength: one.strength) }
            return tally.suffices(for: symbology, bytes: reading.bytes.count)
        default: return true
        }
    }

    private func outcome(of readings: [PassReading], in picture: LumaPlane) -> Outcome {
        if let admitted = readings.first(where: isAdmitted) {
            if mayBeInvented(admitted, among: readings) { return .refused(.damaged, figure: nil, admitted.symbology) }
            return isInDoubt(admitted, among: readings, in: picture)
                ? .refused(.inDoubt, figure: nil, admitted.symbology) : .admitted
        }
        guard let reading = readings.first(where: { isCredible($0, among: readings) }) else { return .nothing }
        switch verdict(reading) {
        case .success(let verdict): return .refused(.inverted, figure: nil, verdict.symbology)
        case .failure(.notWanted(let symbology)): return .refused(.switchedOff, figure: nil, symbology)
        case .failure(.length(let symbology, let length)):
            return length < Self.leastLength ? .nothing : .refused(.wrongLength, figure: Double(length), symbology)
        case .failure(.checkDigit(let symbology)): return .refused(.wrongCheckDigit, figure: nil, symbology)
        }
    }

    /// Whether nothing but all of its error correction speaks for it.
    private func mayBeInvented(_ admitted: PassReading, among all: [PassReading]) -> Bool {
        admitted.symbology.correctionMayInvent && !isCredible(admitted, among: all)
    }

    /// Whether two looks at the same bars differ, or the soft reader reads something else.
    private func isInDoubt(_ admitted: PassReading, among all: [PassReading], in picture: LumaPlane) -> Bool {
        guard admitted.symbology.isLinear else { return false }
        let differs = all.contains {
            $0.symbology == admitted.symbology && $0.bytes.count == admitted.bytes.count && $0.bytes != admitted.bytes
                && isAdmitted($0) && $0.corners.overlaps(admitted.corners)
        }
        if differs { return true }
        let isRetail = DecoderSymbologies.retail.contains(admitted.symbology)
        guard isRetail, admitted.strength < Self.manyLines,
            Set(all.filter { $0.bytes == admitted.bytes }.map(\.decoder)).count < 2,
            case .contradicts = soft.opinion(on: admitted, of: picture)
        else { return false }
        return true
    }

    /// What the soft reader's look at a region is worth as a reading.
    func outcome(of look: SoftLook) -> Outcome {
        if let reading = soft.reading(of: look) {
            switch verdict(reading) {
            case .success: return .admitted
            case .failure(.notWanted(let symbology)): return .refused(.switchedOff, figure: nil, symbology)
            case .failure(.length(let symbology, let length)):
                return .refused(.wrongLength, figure: Double(length), symbology)
            case .failure(.checkDigit(let symbology)): return .refused(.wrongCheckDigit, figure: nil, symbology)
            }
        }
        var unchecked = Acceptance()
        unchecked.leastMargin = Self.wrongCheck.margin
        unchecked.leastExplained = Self.wrongCheck.explained
        unchecked.needsCheck = false
        guard let reading = look.reading(by: unchecked), reading.symbology != .upcE,
            case .failure(.checkDigit(let symbology)) = verdict(reading), rules.wants(symbology)
        else { return .nothing }
        return .refused(.wrongCheckDigit, figure: nil, symbology)
    }

    private func verdict(_ reading: SoftReading) -> Result<SymbologyRules.Verdict, SymbologyRules.Refusal> {
        rules.verdict(symbology: reading.symbology, bytes: reading.bytes, aim: "")
    }

    /// Whether the soft reader reads it as a code that may have any length.
    func isReadAsLong(_ region: LocatedRegion, of picture: LumaPlane) -> Bool {
        guard longLooks > 0, soft.isOfUse(at: region), !longFamilies.isEmpty else { return false }
        longLooks -= 1
        return longFamilies.contains { family in
            guard let look = soft.look(at: region, of: picture, as: family), let reading = soft.reading(of: look)
            else { return false }
            if case .success = verdict(reading) { return true }
            return false
        }
    }

    /// `nil` if bars are too short or too long for it, or nothing there resembles EAN or UPC.
    func softLook(at region: LocatedRegion, of picture: LumaPlane) -> SoftLook? {
        guard softLooks > 0, soft.isOfUse(at: region) else { return nil }
        softLooks -= 1
        return soft.look(at: region, of: picture, as: .retail)
    }
}
