import ReaderProtocol
import Vocabulary

/// Reads codes from luma by the station's rules: runs the passes of a plan through ZXing and ZBar, and decides what stands. Not thread-safe;
/// one for each reader process. What it reads depends only on pixels, rules and effort, never on time.
package final class DecodeEngine {
    let rules: DecodeRules
    private let symbologyRules: SymbologyRules
    private let wanted: DecoderSymbologies
    private let readsAddOns: Bool
    private let locator = Locator()
    private let regionReader: RegionReader
    private let zxing = ZXingDecoder()
    private let softMatrix = SoftMatrixDecoder()
    /// A new one for each read: it keeps halves of EAN and UPC, and its QR reader draws random numbers, so a read would depend on the ones before it.
    private var zbar = ZBarDecoder()
    /// The turns of live reading in which the rules leave something to find.
    let quickTurns: [[ReadPass]]
    let thoroughTurns: [[ReadPass]]

    package var quickTurnCount: Int { quickTurns.count }
    package var thoroughTurnCount: Int { thoroughTurns.count }

    /// What an exhaustive read has accepted so far. For a caller that reports it before a pass that may not return.
    package private(set) var accepted: [Symbol] = []

    /// Of a picture that holds; and of those that move, which goes on from where it was.
    private var ladder: Ladder?
    private var rounds: LadderRounds?

    /// Whether the ladder of the latest live frames has no pass left.
    package private(set) var isLadderOver = true

    /// For the current or latest picture; `nil` while a live frame is being read.
    private var crowd: FinderCrowd?

    /// Where codes are likely in the live frame that was read last, read or not. Corners are normalised to it, 0…1.
    package private(set) var places: [CodePlace] = []

    /// Codes that were read in the live frame that was read last, and that the soft reader reads otherwise.
    package private(set) var refuted: [RefutedCode] = []

    /// Whether an exhaustive read skipped QR codes in a part of the picture that is full of finder patterns.
    package var leftOutCrowds: Bool { crowd?.leftOut ?? false }

    /// Once an exhaustive read has done this much work, it begins no further pass, except those of the first stage. In pixels: each pass counts
    /// those of its copy. About three and a half seconds on a PC.
    static let exhaustiveBudget = 150_000_000

    /// The most memory that an exhaustive read of a picture takes: copies of up to four times its size if it is treated, as much again in the
    /// decoders, and their tables.
    package static func memoryBytes(for size: FrameSize) -> UInt64 {
        let pixels = size.width * size.height
        let treated = min(pixels, ReadPass.Treatment.mostPixels)
        return UInt64(treated * 32 + (pixels - treated) * 4 + (96 << 20))
    }

    package init(rules: DecodeRules) {
        self.rules = rules
        symbologyRules = SymbologyRules(rules)
        wanted = DecoderSymbologies(symbologyRules.decoderSymbologies)
        readsAddOns = rules.symbologies.values.contains(where: \.addOns)
        regionReader = RegionReader(wanted: wanted, readsAddOns: readsAddOns)
        let wanted = wanted
        let isOfUse = { (pass: ReadPass) in !pass.symbologies(of: wanted).isEmpty }
        quickTurns = LivePlan.quickTurns.map { $0.filter(isOfUse) }.filter { !$0.isEmpty }
        let always = LivePlan.thoroughAlways.filter(isOfUse)
        let extra = LivePlan.thoroughTurns.filter(isOfUse)
        thoroughTurns = extra.isEmpty ? [always] : extra.map { always + [$0] }
    }

    /// Reads one frame or picture.
    ///
    /// - Parameters:
    ///   - startingAtPass: the next pass, for an exhaustive read that died in a pass.
    ///   - onPass: called before each pass of an exhaustive read with its number; `accepted` holds what stands so far.
    /// - Returns: symbols with corners normalised to `luma`, 0…1. For a live frame, each code once for every pass that found it: each is a
    ///   separate observation, and the caller looks for agreement among them.
    package func read(
        _ luma: LumaView, effort: ReadEffort, startingAtPass: Int = 0, onPass: (Int) -> Void = { _ in }
    ) -> [Symbol] {
        accepted = []
        places = []
        refuted = []
        crowd = nil
        zbar = ZBarDecoder()
        guard canRead(luma) else { return [] }
        let picture = LumaPlane(borrowing: luma)
        switch effort {
        case .quick(let turn):
            return readLive(picture, turns: quickTurns, turn: turn, regionBudget: RegionTurn.Budget.quick)
        case .thorough(let turn):
            return readLive(picture, turns: thoroughTurns, turn: turn, regionBudget: RegionTurn.Budget.thorough)
        case .exhaustive:
            return readExhaustively(picture, startingAtPass: startingAtPass, onPass: onPass)
        case .ladder(let order):
            return climb(picture, order)
        case .diagnosis: return []
        }
    }

    /// Neither empty, nor larger than the decoders' own limits.
    private func canRead(_ luma: LumaView) -> Bool {
        luma.size.width > 0 && luma.size.height > 0 && luma.size.width <= Int(Int16.max)
            && luma.size.height <= Int(Int16.max) && luma.rowStride >= luma.size.width
    }

    private func climb(_ picture: LumaPlane, _ order: ReadEffort.LadderOrder) -> [Symbol] {
        if order.round == 0 {
            if order.begins { ladder = Ladder(rules: symbologyRules, wanted: wanted) }
            return climb(picture, by: &ladder)
        }
        if order.begins {
            ladder = nil
            rounds = rounds ?? LadderRounds(rules: symbologyRules, wanted: wanted)
            rounds?.begin()
        }
        return climb(picture, by: &rounds)
    }

    /// One pass of the ladder, or some looks at regions; what it finds and nothing confirms is looked at again at once.
    private func climb(_ picture: LumaPlane, by course: inout (some LadderCourse)?) -> [Symbol] {
        defer { isLadderOver = course?.isOver ?? true }
        guard course != nil else { return [] }
        lazy var content = picture.contentHash()
        let moves = course?.next(content: content, places: places(in: picture)) ?? []
        guard !moves.isEmpty else { return observations(course?.remainder() ?? [], of: picture) }
        crowd = FinderCrowd()
        var found: [Candidate] = []
        for move in moves where course?.pays(move) == true {
            var readings = readings(of: move, on: picture, besides: course?.placesOfDataMatrix ?? [])
            let new = course?.waiting(in: readings) ?? []
            readings += secondLooks(at: new, of: picture, after: [move.step.pass])
            for index in readings.indices { readings[index].content = content }
            let pixels = move.look.map { Int($0.cost) } ?? picture.pixelCount
            found +=
                course?.take(readings, of: move, pixels: pixels, content: content) {
                    regionReader.soft.opinion(on: $0, of: picture)
                } ?? []
        }
        return observations(course?.standing(found) ?? [], of: picture)
    }

    private func places(in picture: LumaPlane) -> LadderPlaces {
        lazy var located = locator.regions(of: picture)
        let isOfUse = { [regionReader] (pass: ReadPass, region: LocatedRegion) in
            regionReader.isOfUse(pass, at: region)
        }
        return LadderPlaces(
            portion: { number in
                RegionTurn(
                    regions: located, turn: number, budget: RegionTurn.Budget.ladder,
                    pictureArea: Double(picture.pixelCount)
                ).looks { pass, region in
                    isOfUse(pass, region) && RegionTurn.isLeftToLadder(RegionTurn.Look(region: region, pass: pass))
                }.flatMap { look in
                    // Where ZXing reads something as it is, no other look pays.
                    let plain = RegionLook.zxingLocalAverage.pass(over: look.region.kind)
                    let isFirst = isOfUse(plain, look.region)
                    return (isFirst ? [RegionTurn.Look(region: look.region, pass: plain)] : []) + [look]
                }
            },
            looks: { pass in
                located.filter { isOfUse(pass, $0) }.map { RegionTurn.Look(region: $0, pass: pass) }
            })
    }

    private func readings(of move: LadderMove, on picture: LumaPlane, besides known: [Quad]) -> [PassReading] {
        let number = LivePlan.number(of: move.step.pass)
        if let look = move.look { return read(look, number: number, of: picture) }
        var planes = TreatedPlanes(of: picture)
        return run(
            move.step.pass, number: number, planes: &planes, extentIn: picture, wholeIn: picture,
            besides: move.step.pass.needsPlaces ? known : [])
    }

    /// The passes of a turn over the whole frame, and looks at the places that may hold a code.
    /// - Parameter regionBudget: see `RegionTurn`.
    private func readLive(
        _ picture: LumaPlane, turns: [[ReadPass]], turn: UInt32, regionBudget: Double
    ) -> [Symbol] {
        guard !turns.isEmpty else { return [] }
        let passes = turns[Int(turn % UInt32(turns.count))]
        var ballot = Ballot(rules: symbologyRules)
        run(passes, over: picture, into: &ballot)
        lookAtRegions(of: picture, turn: turn, budget: regionBudget, into: &ballot)
        ballot.verify { regionReader.soft.opinion(on: $0, of: picture) }
        refuted = ballot.refuted
        ballot.addAgreeing(secondLooks(at: ballot.candidates, of: picture, after: passes))
        return observations(ballot.winners(demandsAgreement: false), of: picture)
    }

    /// The passes of a turn, on a crowded frame tile by tile.
    private func run(_ passes: [ReadPass], over picture: LumaPlane, into ballot: inout Ballot) {
        var planes = TreatedPlanes(of: picture)
        lazy var isCrowded =
            wanted.contains(.qrCode)
            && FinderCensus(plane: picture).count() >= LivePlan.crowd
        for pass in passes {
            let number = LivePlan.number(of: pass)
            var looks = [pass]
            if let tiles = LivePlan.tiles(insteadOf: pass), isCrowded { looks = tiles }
            for look in looks {
                ballot.addAgreeing(
                    run(look, number: number, planes: &planes, extentIn: picture, wholeIn: picture))
            }
        }
    }

    /// - Parameter budget: see `RegionTurn`.
    private func lookAtRegions(of picture: LumaPlane, turn: UInt32, budget: Double, into ballot: inout Ballot) {
        let located = locator.regions(of: picture, turn: turn)
        places = located.compactMap { CodePlace($0, in: picture.size) }
        let regions = RegionTurn(
            regions: located, turn: turn, budget: budget, pictureArea: Double(picture.pixelCount))
        var seen: Set<LocatedRegion> = []
        for look in regions.looks(isOfUse: regionReader.isOfUse)
        where ballot.pays(look, isFirst: seen.insert(look.region).inserted) {
            ballot.addAgreeing(read(look, number: LivePlan.number(of: look.pass), of: picture))
        }
    }

    /// A second look now, where the first one found something: the turn that would take it may be half a second away.
    /// - Parameter passes: those that have looked already.
    private func secondLooks(at candidates: [Candidate], of picture: LumaPlane, after passes: [ReadPass])
        -> [PassReading]
    {
        var readings: [PassReading] = []
        var wholeLooks = Set(passes)
        for candidate in candidates.filter(\.wantsAnotherPass).prefix(Self.mostSecondLooks) {
            let waiting = DecoderSymbologies([candidate.verdict.symbology, candidate.reading.symbology])
            guard let pass = LivePlan.confirming(waiting).first(where: { !passes.contains($0) }) else { continue }
            let place = place(of: candidate.reading, in: picture)
            // One look over all of it serves all those without a place.
            guard place != nil || wholeLooks.insert(pass).inserted else { continue }
            var planes = TreatedPlanes(of: place ?? picture)
            readings += run(
                pass, number: LivePlan.number(of: pass), planes: &planes, extentIn: picture, wholeIn: picture)
        }
        return readings
    }

    /// The most second looks of a turn, at places where something waits for another pass.
    private static let mostSecondLooks = 4
    /// What to keep around a code for it, as a part of its longer side; quiet zones of short codes are a tenth of them.
    private static let secondLookMargin = 0.2

    /// A copy of where a code is; `nil`: without an extent nobody knows where the bars of a linear code end.
    private func place(of reading: PassReading, in picture: LumaPlane) -> LumaPlane? {
        guard reading.hasExtent || !reading.symbology.isLinear else { return nil }
        return RegionCopy.place(of: reading.corners, margin: Self.secondLookMargin, in: picture)
    }

    private func readExhaustively(_ picture: LumaPlane, startingAtPass: Int, onPass: (Int) -> Void) -> [Symbol] {
        var planes = TreatedPlanes(of: picture)
        var ballot = Ballot(rules: symbologyRules)
        var work = 0
        lazy var regions = locator.regions(of: picture)
        crowd = FinderCrowd()
        // If two stages ask for the same look, it counts as one look, and one vote.
        var made: Set<ReadPass> = []
        for (number, step) in ReadPlan.exhaustive.enumerated() where number >= startingAtPass {
            guard ballot.pays(step), !made.contains(step.pass), !step.pass.symbologies(of: wanted).isEmpty else {
                continue
            }
            if step.pass.region != nil {
                made.insert(step.pass)
                onPass(number)
                readRegions(by: step.pass, regions: &regions, into: &ballot, picture, work: &work)
                continue
            }
            guard let plane = planes.plane(for: step.pass) else { continue }
            // Looks at regions come after it, and cost less.
            if step.pass.isLocated, work + plane.pixelCount > Self.exhaustiveBudget { continue }
            work += plane.pixelCount
            guard work <= Self.exhaustiveBudget || step.stage == .first else { break }
            made.insert(step.pass)
            onPass(number)
            let readings = run(
                step.pass, number: ReadPlan.stillNumber(of: step.pass), planes: &planes, extentIn: picture,
                wholeIn: picture,
                besides: step.pass.needsPlaces ? ballot.places(of: DecoderSymbologies([.dataMatrix])) : [])
            take(readings, into: &ballot, picture)
        }
        readBehind(picture, startingAtPass: startingAtPass, onPass: onPass, into: &ballot, work: &work)
        accepted = symbols(ballot.winners(demandsAgreement: true), of: picture)
        return accepted
    }

    /// One look at each region for which it is meant.
    private func readRegions(
        by pass: ReadPass, regions: inout [LocatedRegion], into ballot: inout Ballot, _ picture: LumaPlane,
        work: inout Int
    ) {
        for region in regions where regionReader.isOfUse(pass, at: region) {
            let look = RegionTurn.Look(region: region, pass: pass)
            guard ballot.pays(look), work < Self.exhaustiveBudget else { continue }
            work += Int(look.cost)
            take(read(look, number: ReadPlan.stillNumber(of: pass), of: picture), into: &ballot, picture)
        }
    }

    private func take(_ readings: [PassReading], into ballot: inout Ballot, _ picture: LumaPlane) {
        let before = ballot.candidates.count
        ballot.add(readings, verifiedBy: { regionReader.soft.opinion(on: $0, of: picture) })
        if ballot.candidates.count != before {
            accepted = symbols(ballot.winners(demandsAgreement: true), of: picture)
        }
    }

    /// ZXing 1.x returns only one linear code per picture: so this paints over what stands and looks at the rest again, until it finds
    /// nothing more.
    private func readBehind(
        _ picture: LumaPlane, startingAtPass: Int, onPass: (Int) -> Void, into ballot: inout Ballot, work: inout Int
    ) {
        var number = ReadPlan.exhaustive.count
        guard startingAtPass <= number, picture.pixelCount <= ReadPass.Treatment.mostPixels else { return }
        var covered = 0
        for _ in 0..<ReadPlan.mostBehindRounds {
            let standing = ballot.winners(demandsAgreement: true).filter(\.reading.hasExtent)
            guard standing.count > covered else { return }
            covered = standing.count
            let rest = CodeCover(plane: picture).covering(standing.map(\.reading.corners))
            var planes = TreatedPlanes(of: rest)
            for pass in ReadPlan.behind where !pass.symbologies(of: wanted).isEmpty {
                guard let plane = planes.plane(for: pass) else { continue }
                work += plane.pixelCount
                guard work <= Self.exhaustiveBudget else { return }
                onPass(number)
                let readings = run(pass, number: number, planes: &planes, extentIn: rest, wholeIn: picture)
                    .filter { reading in !standing.contains { $0.leaves(reading, in: picture) } }
                take(readings, into: &ballot, picture)
                number += 1
            }
        }
    }

    private func read(_ look: RegionTurn.Look, number: Int, of picture: LumaPlane) -> [PassReading] {
        var readings = regionReader.read(look.region, of: picture, by: look.pass, crowd: &crowd)
        for index in readings.indices { readings[index].pass = number }
        return readings
    }

    /// - Parameters:
    ///   - extentPlane: where the bars of a linear code are followed; without what is painted over.
    ///   - wholePlane: where it shows whether a code is a part of a larger one.
    ///   - known: where our own search for Data Matrix needn't look.
    private func run(
        _ pass: ReadPass, number: Int, planes: inout TreatedPlanes, extentIn extentPlane: LumaPlane,
        wholeIn wholePlane: LumaPlane, besides known: [Quad] = []
    ) -> [PassReading] {
        let symbologies = pass.symbologies(of: wanted)
        guard !symbologies.isEmpty, let plane = planes.plane(for: pass) else { return [] }
        var readings: [PassReading]
        switch pass.method {
        case .zxing(let binarizer):
            readings = FinderCrowd.looks(at: plane, for: symbologies, in: &crowd).flatMap {
                zxing.read(
                    $0.plane, pass: pass, binarizer: binarizer, symbologies: $0.symbologies, readsAddOns: readsAddOns)
            }
        case .zbar(let density):
            let symbologies = crowd?.symbologies(forZBar: symbologies, on: plane) ?? symbologies
            readings =
                symbologies.isEmpty
                ? [] : zbar.read(plane, density: density, rotates: pass.rotates, symbologies: symbologies)
        case .soft: readings = []
        case .softMatrix(let family): readings = softMatrix.read(plane, as: family, besides: known)
        }
        for index in readings.indices {
            readings[index].pass = number
            if pass.isInverted { readings[index].isInverted.toggle() }
            readings[index].takeExtent(in: extentPlane)
        }
        return readings.filter { $0.isWhole(on: wholePlane) }
    }

    /// A symbol for each candidate, then the same again for every further pass that found it: a limit cuts repeats first.
    private func observations(_ candidates: [Candidate], of picture: LumaPlane) -> [Symbol] {
        let symbols = symbols(candidates, of: picture)
        let repeats = zip(symbols, candidates).flatMap { symbol, candidate in
            candidate.looks.filter { $0.decoder != candidate.reading.decoder || $0.pass != candidate.reading.pass }.map
            {
                var again = symbol
                again.evidence = Evidence($0, content: symbol.evidence.content)
                return again
            }
        }
        return symbols + repeats.prefix(max(0, ReaderLimits.maxSymbolsPerFrame - symbols.count))
    }

    private func symbols(_ candidates: [Candidate], of picture: LumaPlane) -> [Symbol] {
        guard !candidates.isEmpty else { return [] }
        let content = picture.contentHash()
        return candidates.map { Symbol($0, content: content, size: picture.size) }
    }

    /// Places that look like a code and aren't read, each with the likeliest reason; the likeliest code first. If there are none, and nothing
    /// was read either, what is wrong with the picture.
    ///
    /// - Parameter symbols: what was read of the same picture, with corners normalised to it.
    /// - Returns: at most `ReaderLimits.maxUnreadCodes`, with corners normalised to `luma`, 0…1.
    package func unreadCodes(of luma: LumaView, besides symbols: [Symbol]) -> [UnreadCode] {
        guard canRead(luma) else { return [] }
        return UnreadDiagnosis(rules: symbologyRules, locator: locator).codes(of: luma, besides: symbols)
    }
}

extension Symbol {
    /// - Parameters:
    ///   - content: hash of the picture.
    ///   - size: of the picture.
    init(_ candidate: Candidate, content: UInt64, size: FrameSize) {
        let reading = candidate.reading
        let verdict = candidate.verdict
        // If the rules changed the data (check digit, full ASCII), the decoder's text no longer matches it.
        let text = verdict.bytes == reading.bytes ? reading.bestText : String(validating: verdict.bytes, as: UTF8.self)
        self.init(
            symbology: verdict.symbology, aim: verdict.aim, bytes: verdict.bytes, text: text,
            corners: reading.corners.normalised(to: size), addOn: reading.addOn, isInverted: reading.isInverted,
            evidence: Evidence(
                Candidate.Look(reading), content: content),
            structuredAppend: reading.structuredAppend)
    }
}

extension Evidence {
    fileprivate init(_ look: Candidate.Look, content: UInt64) {
        self.init(
            decoder: look.decoder, pass: UInt8(clamping: look.pass), strength: look.strength,
            content: look.content ?? content)
    }
}
