import Settings
import Vocabulary

/// Follows codes across frames, so that a code that stays in view is one sighting, not thirty a second.
///
///              seen           agreement              seen again
///     (none) ────────▶ pending ────────▶ in view ◀──────────────── missing
///                         │              (appeared)  ────────────▶    │
///                         │ missing for                a frame        │ missing for `absence`
///                         ▼ `absence`, ≥ 0.5 s         without it     ▼
///                       (none)                                   disappeared
///
/// - A code with agreement 1 is in view as soon as its evidence convinces (`EvidenceTally.convinces`): what one look can't vouch for waits for
///   another pass, for the same pass from another viewpoint, or for more pictures. Others need that many *different* observations as well: the
///   same pixels decoded twice in the same way count once.
/// - Absence is counted from the first frame that misses the code, by the frames' own time. Frames that the decoders failed on prove
///   nothing either way, and neither does a lack of frames (a lost camera).
/// - A frame held back as unchanged shows what the earlier frame showed. A blank one shows nothing.
/// - A result that is older than one seen before is late: it may complete a pending sighting's agreement, nothing else.
/// - A second linear code within one that is in view is in doubt, whatever its check digit says; so are two contents of one Aztec, PDF417 or Micro
///   QR code, even before either is in view. It is confirmed when, among the frames
///   that show either of the two, `undisputedLooks` in a row show it. A misread never gets that far while the real code is read in between.
/// - A retail number or a Code 128 that the soft reader has contradicted in some frame needs two decoders for the next `refutationPatience`: what
///   makes a 7 of a 1 in one frame does so in the next, and in most of them the soft reader may see nothing. What spoke for it before counts no more.
/// - A code that few frames show, because few passes can read it, isn't missed while something unread lies where it was: a code in a hand, which
///   one lucky look read, would be scanned again with each further one. That is so for `unreadPatience` after each look.
/// - Where add-ons are read, an EAN or UPC without one waits for it for `addOnPatience`.
/// - The ladder looks at a frame beside the reads. What it sees is a sighting like any other, unless that code has gone since. Reads can't
///   miss a code that only the ladder has ever seen: it is missed only by a whole ladder over a picture that held, by a blank picture, or
///   after `ladderPatience`. Nor can quick turns miss what only thorough ones see.
package struct SightingTracker: Sendable {
    package struct Limits: Hashable, Sendable {
        /// How many codes are followed at once; more are ignored and counted until one disappears.
        package var maxSightings = 128
        /// How many different observations of a code are remembered.
        package var maxObservations = 8
        /// A weak code that is missing is remembered for this long at least, so that a short time-out doesn't forbid agreement.
        package var pendingAbsence: Duration = .milliseconds(500)
        /// How many decoded frames in a row must miss a code before it is gone, unless a blank one shows that. It takes enough frames for
        /// every pass to have looked: passes alternate over frames, and perhaps only one of them can read the code.
        package var missedReads = 1
        /// A code that only the ladder reads is gone when nothing has seen it for this long: a picture that moves all the time never gets a
        /// whole ladder.
        package var ladderPatience: Duration = .seconds(3)
        /// The same for a code that only thorough turns read, when others are between: a round of one in sixteen takes seven seconds at 30 frames a second.
        package var thoroughPatience: Duration = .seconds(10)
        /// For how long after its newest look a code that is seldom seen may be what lies unread at its place.
        package var unreadPatience: Duration = .seconds(10)
        /// For how long a contradiction by the soft reader counts, and how many codes it is remembered of.
        package var refutationPatience: Duration = .seconds(2)
        package var maxRefuted = 16
        /// For how long an EAN or UPC waits for a look that shows an add-on, where those are read: only some passes read them.
        package var addOnPatience: Duration = .milliseconds(300)
        /// How many frames in a row must show a code in doubt and not its rival.
        package var undisputedLooks = 2
        /// A weak code without agreement holds the change gate open for this long: a false one must not do so forever.
        package var pendingPatience: Duration = .seconds(2)
        /// A slow machine hasn't looked in every way by then: as many reads as a fast one makes in that time, but no longer than this.
        package var pendingReads = 60
        package var slowPatience: Duration = .seconds(10)

        package init() {}

        fileprivate func patience(for effort: Sighting.Effort) -> Duration {
            switch effort {
            case .quick, .thorough: thoroughPatience
            case .ladder: ladderPatience
            }
        }

        /// For frames that are read in turns.
        package static var alternatingTurns: Limits {
            var limits = Limits()
            limits.missedReads = max(ReadEffort.Kind.quick.turns, ReadEffort.Kind.thorough.turns)
            return limits
        }
    }

    package enum Action: Hashable, Sendable {
        /// In view for the first time, and confirmed. Followed by `seen`.
        case appeared(Sighting)
        /// A confirmed sighting that this result shows, in reading order. For a late result, only what it confirmed.
        case seen(Sighting)
        case disappeared(Sighting)
    }

    /// Time out of view after which a code counts as new.
    package var absence: Duration
    /// Of each of them, how many observations must agree; 1 where it isn't listed.
    package var symbologies: [Symbology: SymbologySettings]
    package let limits: Limits
    /// Symbols that were ignored because `maxSightings` codes were followed already.
    package private(set) var overflowCount: UInt64 = 0

    private var sightings: [UInt64: Sighting] = [:]
    /// Ids of the sightings of one code, whatever their ordinal.
    private var idsByCode: [Code: [UInt64]] = [:]
    private var nextID: UInt64 = 1
    /// Codes that were reported gone, by the exposure of the frame that showed it; kept for as long as the ladder may be behind.
    private var gone: [Code: Instant] = [:]
    /// Those that the soft reader has contradicted, by the exposure of the newest such frame.
    private var refuted: [Code: Instant] = [:]
    private var newestSequence: UInt64?
    private var newestExposure: Instant?
    /// The decoded frame before.
    private var wasThorough = false

    private struct Code: Hashable {
        let symbology: Symbology
        let bytes: [UInt8]
    }

    package init(absence: Duration, symbologies: [Symbology: SymbologySettings] = [:], limits: Limits = Limits()) {
        self.absence = absence
        self.symbologies = symbologies
        self.limits = limits
    }

    /// Every code followed, pending ones too, in order of appearance.
    package var tracked: [Sighting] { sightings.values.sorted { $0.id < $1.id } }

    /// Whether a weak code waits for another observation (and not for too long already).
    package var hasPending: Bool {
        guard let newest = newestExposure else { return false }
        return sightings.values.contains {
            let age = $0.firstFrame.exposedAt.duration(to: newest)
            return !$0.isConfirmed
                && (age < limits.pendingPatience
                    || age < limits.slowPatience && $0.regularity.frames < limits.pendingReads)
        }
    }

    /// Takes a result, in the order in which results come in.
    package mutating func handle(_ result: ReadResult) -> [Action] {
        switch result.outcome {
        case .crashed, .timedOut, .diagnosed: return []
        case .climbed, .climbedToEnd:
            note(result.refuted, at: result.frame.exposedAt)
            return handleClimb(result)
        case .decoded, .unchanged, .blank: break
        }
        // Without data there is nothing to pass on.
        let symbols = result.symbols.prefix(limits.maxSightings).filter { !$0.bytes.isEmpty }
        note(result.refuted, at: result.frame.exposedAt)
        if let newest = newestSequence, result.frame.sequence <= newest {
            return confirm(late: symbols, decodeTime: result.decodeTime)
        }
        newestSequence = result.frame.sequence
        newestExposure = result.frame.exposedAt

        var actions: [Action] = []
        var seen: Set<UInt64> = []
        for (code, places) in grouped(Array(symbols)) {
            observe(code, places, in: result, seen: &seen, actions: &actions)
        }
        if result.outcome == .unchanged { keepInView(result.frame, seen: &seen) }
        confirmWithoutAddOns(at: result.frame.exposedAt, seen: &seen, actions: &actions)
        miss(allBut: seen, in: result, actions: &actions)
        if result.outcome == .decoded { wasThorough = result.isThorough }
        return actions + seenActions(seen)
    }

    /// For those of these sightings that are confirmed, in reading order.
    private func seenActions(_ ids: Set<UInt64>) -> [Action] {
        let shown = ids.compactMap { sightings[$0] }.filter(\.isConfirmed).sorted { $0.id < $1.id }
        return ReadingOrder.sorted(shown, by: \.symbol).map(Action.seen)
    }

    /// Forgets every code, as if none had been in view; late results stay late.
    package mutating func reset() -> [Action] {
        let confirmed = tracked.filter(\.isConfirmed)
        if let newestExposure { for sighting in confirmed { noteGone(sighting, at: newestExposure) } }
        sightings = [:]
        idsByCode = [:]
        return confirmed.map(Action.disappeared)
    }

    // MARK: The ladder

    private mutating func handleClimb(_ result: ReadResult) -> [Action] {
        var actions: [Action] = []
        var seen: Set<UInt64> = []
        let symbols = result.symbols.prefix(limits.maxSightings).filter { symbol in
            let hasGone = gone[Code(symbology: symbol.symbology, bytes: symbol.bytes)].map {
                $0 >= result.frame.exposedAt
            }
            return !symbol.bytes.isEmpty && hasGone != true
        }
        for (code, places) in grouped(Array(symbols)) {
            observe(code, places, in: result, seen: &seen, actions: &actions)
        }
        if result.outcome == .climbedToEnd {
            for sighting in tracked where sighting.effort == .ladder && !seen.contains(sighting.id) {
                // It is gone with the next frame that doesn't show it either.
                sightings[sighting.id]?.missedReads = limits.missedReads
            }
        }
        return actions + seenActions(seen)
    }

    private mutating func noteGone(_ sighting: Sighting, at exposure: Instant) {
        gone = gone.filter { $0.value.duration(to: exposure) < limits.ladderPatience }
        gone[Code(symbology: sighting.identity.symbology, bytes: sighting.identity.bytes)] = exposure
    }

    // MARK: Contradicted codes

    private mutating func note(_ codes: [RefutedCode], at exposure: Instant) {
        guard !codes.isEmpty else { return }
        refuted = refuted.filter { $0.value.duration(to: exposure) < limits.refutationPatience }
        for contradicted in codes {
            let code = Code(symbology: contradicted.symbology, bytes: contradicted.bytes)
            if refuted[code] == nil, refuted.count >= limits.maxRefuted,
                let oldest = refuted.min(by: { $0.value < $1.value })
            {
                refuted[oldest.key] = nil
            }
            refuted[code] = max(refuted[code] ?? exposure, exposure)
            // What spoke for it before counts no more.
            for id in idsByCode[code] ?? [] where sightings[id]?.isConfirmed == false { sightings[id]?.beginAgain() }
        }
    }

    private func isRefuted(_ sighting: Sighting, at exposure: Instant) -> Bool {
        refuted[Code(symbology: sighting.identity.symbology, bytes: sighting.identity.bytes)].map {
            $0.duration(to: exposure) < limits.refutationPatience
        } ?? false
    }

    // MARK: One frame

    /// One code at one place of a frame, found by one or several decoders or passes.
    private typealias Place = [Symbol]

    /// The frame's symbols by code, in reading order of the codes, and by place within each.
    private func grouped(_ symbols: [Symbol]) -> [(Code, [Place])] {
        var order: [Code] = []
        var places: [Code: [Place]] = [:]
        for symbol in ReadingOrder.sorted(symbols, by: { $0 }) {
            let code = Code(symbology: symbol.symbology, bytes: symbol.bytes)
            if places[code] == nil { order.append(code) }
            var known = places[code] ?? []
            if let index = known.firstIndex(where: { $0.contains { $0.isSameCode(as: symbol) } }) {
                known[index].append(symbol)
            } else {
                known.append([symbol])
            }
            places[code] = known
        }
        return order.map { ($0, places[$0] ?? []) }
    }

    /// Gives each place of a code to the nearest sighting of it, and makes sightings of those that are left.
    private mutating func observe(
        _ code: Code, _ places: [Place], in result: ReadResult, seen: inout Set<UInt64>, actions: inout [Action]
    ) {
        for (place, id) in matched(places, with: idsByCode[code] ?? []) {
            guard let id = id ?? create(code, place, result) else {
                overflowCount += 1
                continue
            }
            seen.insert(id)
            update(id, with: place, result, actions: &actions)
        }
    }

    /// Nearest pairs first; a place without a partner comes with `nil`.
    private func matched(_ places: [Place], with ids: [UInt64]) -> [(Place, UInt64?)] {
        var pairs: [(place: Int, id: UInt64, distance: Double)] = []
        for (index, place) in places.enumerated() {
            for id in ids {
                guard let sighting = sightings[id], let symbol = place.first else { continue }
                let distance = sighting.symbol.corners.centre.squaredDistance(to: symbol.corners.centre)
                pairs.append((index, id, distance))
            }
        }
        pairs.sort { ($0.distance, $0.place, $0.id) < ($1.distance, $1.place, $1.id) }
        var partners: [Int: UInt64] = [:]
        var taken: Set<UInt64> = []
        for pair in pairs where partners[pair.place] == nil && !taken.contains(pair.id) {
            partners[pair.place] = pair.id
            taken.insert(pair.id)
        }
        return places.enumerated().map { ($0.element, partners[$0.offset]) }
    }

    /// A new sighting with the smallest free ordinal; `nil` when too many are followed.
    private mutating func create(_ code: Code, _ place: Place, _ result: ReadResult) -> UInt64? {
        guard let symbol = place.first, makeRoom() else { return nil }
        let used = Set((idsByCode[code] ?? []).compactMap { sightings[$0]?.identity.ordinal })
        let ordinal = (0...used.count).first { !used.contains($0) } ?? used.count
        let id = nextID
        nextID += 1
        sightings[id] = Sighting(
            id: id,
            identity: SightingIdentity(symbology: code.symbology, bytes: code.bytes, ordinal: ordinal),
            symbol: symbol, frame: result.frame, firstFrame: result.frame, decodeTime: .zero, isConfirmed: false,
            effort: Sighting.Effort(result), observations: [])
        idsByCode[code, default: []].append(id)
        return id
    }

    /// When all places are taken, a missing pending sighting gives up its place; if a confirmed one did, it would scan twice.
    private mutating func makeRoom() -> Bool {
        guard sightings.count >= limits.maxSightings else { return true }
        let candidates = sightings.values.filter { !$0.isConfirmed && $0.missingSince != nil }
        guard let oldest = candidates.min(by: { $0.id < $1.id }) else { return false }
        forget(oldest)
        return true
    }

    private mutating func update(
        _ id: UInt64, with place: Place, _ result: ReadResult, actions: inout [Action]
    ) {
        guard var sighting = sightings[id] else { return }
        for symbol in place {
            let before = sighting.symbol
            sighting.symbol = symbol
            // An add-on that this pass missed is still there.
            if symbol.addOn == nil, before.addOn != nil {
                (sighting.symbol.addOn, sighting.symbol.aim) = (before.addOn, before.aim)
            }
            if result.outcome != .unchanged || !sighting.wasRefuted {
                sighting.add(symbol, limit: limits.maxObservations)
            }
        }
        if !sighting.isConfirmed, result.outcome != .unchanged {
            sighting.undisputedLooks = dispute(sighting, in: result) ? 0 : sighting.undisputedLooks + 1
        }
        if result.frame.sequence >= sighting.frame.sequence { sighting.frame = result.frame }
        // The ladder's frame may be older than the first that missed it.
        if sighting.missingSince.map({ $0 <= result.frame.exposedAt }) ?? true || result.isRead {
            sighting.missingSince = nil
            sighting.missedReads = 0
        }
        if result.outcome == .decoded {
            sighting.effort = min(sighting.effort, Sighting.Effort(result))
            sighting.regularity.noteSeen()
        }
        if result.outcome != .unchanged {
            sighting.unreadPlace = nil
            sighting.decodeTime = result.decodeTime
        }
        confirmIfAgreed(&sighting, at: result.frame.exposedAt, actions: &actions)
        sightings[id] = sighting
    }

    /// Those that have waited for an add-on for long enough, whether or not this frame shows them.
    private mutating func confirmWithoutAddOns(
        at exposure: Instant, seen: inout Set<UInt64>, actions: inout [Action]
    ) {
        let waiting = sightings.values.filter { !$0.isConfirmed && readsAddOns(of: $0) }
        for var sighting in waiting.sorted(by: { $0.id < $1.id }) {
            confirmIfAgreed(&sighting, at: exposure, actions: &actions)
            guard sighting.isConfirmed else { continue }
            sightings[sighting.id] = sighting
            seen.insert(sighting.id)
        }
    }

    private func readsAddOns(of sighting: Sighting) -> Bool {
        symbologies[sighting.identity.symbology]?.addOns == true
    }

    /// Whether this frame, or one since `sighting` was seen last, shows another code at its place.
    private func dispute(_ sighting: Sighting, in result: ReadResult) -> Bool {
        rivals(of: sighting).contains { $0.frame.sequence >= min(sighting.frame.sequence, result.frame.sequence) }
            || result.symbols.contains { $0.isRival(of: sighting.symbol) }
    }

    /// Codes at its place, which may be out of view for a while: confirmed ones, and others where error correction may have invented either.
    private func rivals(of sighting: Sighting) -> [Sighting] {
        let isInvented = sighting.symbol.symbology.correctionMayInvent || sighting.symbol.isRestored
        guard sighting.symbol.symbology.isLinear || isInvented else { return [] }
        return sightings.values.filter { ($0.isConfirmed || isInvented) && $0.symbol.isRival(of: sighting.symbol) }
    }

    private func confirmIfAgreed(_ sighting: inout Sighting, at exposure: Instant, actions: inout [Action]) {
        let waitsForAddOn =
            readsAddOns(of: sighting) && sighting.symbol.addOn == nil
            && sighting.firstFrame.exposedAt.duration(to: exposure) < limits.addOnPatience
        let wanted = symbologies[sighting.identity.symbology]?.agreement ?? 1
        guard !sighting.isConfirmed, sighting.reads >= min(wanted, limits.maxObservations),
            !waitsForAddOn, sighting.tally.convinces(for: sighting.identity.symbology),
            sighting.tally.decodersAgree || !isRefuted(sighting, at: exposure),
            sighting.undisputedLooks >= limits.undisputedLooks || rivals(of: sighting).isEmpty,
            // Slanted bars show the same part again and again. A short label in a long one's place waits until that is gone.
            !sightings.values.contains(where: { sighting.symbol.part.isPart(of: $0.symbol.part) })
        else { return }
        sighting.isConfirmed = true
        actions.append(.appeared(sighting))
    }

    /// What was in view stays in view in a picture that didn't change.
    private mutating func keepInView(_ frame: FrameInfo, seen: inout Set<UInt64>) {
        // What an unread place stands for wasn't seen in the picture that holds now.
        for (id, sighting) in sightings where sighting.missingSince == nil && sighting.unreadPlace == nil {
            sightings[id]?.frame = frame
            sightings[id]?.regularity.noteSeen()
            seen.insert(id)
        }
    }

    /// Whether a read could show it. Of turns that alternate, a quick one may be the only one that can; where all are thorough, any of them must.
    private func canSee(_ sighting: Sighting, _ result: ReadResult) -> Bool {
        switch sighting.effort {
        case .quick: !result.isThorough || wasThorough
        case .thorough: result.isThorough
        case .ladder: false
        }
    }

    private mutating func miss(allBut seen: Set<UInt64>, in result: ReadResult, actions: inout [Action]) {
        let exposure = result.frame.exposedAt
        for sighting in tracked where !seen.contains(sighting.id) {
            if result.outcome == .decoded {
                sightings[sighting.id]?.regularity.noteMissed()
                if let place = unreadPlace(of: sighting, in: result) {
                    sightings[sighting.id]?.unreadPlace = place
                    sightings[sighting.id]?.missingSince = nil
                    sightings[sighting.id]?.missedReads = 0
                    continue
                }
            }
            let since = sighting.missingSince ?? exposure
            let isOverdue = sighting.frame.exposedAt.duration(to: exposure) >= limits.patience(for: sighting.effort)
            let isMiss = result.outcome == .decoded && (canSee(sighting, result) || isOverdue)
            let missed = sighting.missedReads + (isMiss ? 1 : 0)
            sightings[sighting.id]?.missingSince = since
            sightings[sighting.id]?.missedReads = missed
            let patience = sighting.isConfirmed ? absence : max(absence, limits.pendingAbsence)
            guard since.duration(to: exposure) >= patience,
                missed >= limits.missedReads || result.outcome == .blank
                    || (isMiss && isOverdue && sighting.effort != .quick)
            else { continue }
            forget(sighting)
            if sighting.isConfirmed {
                noteGone(sighting, at: exposure)
                actions.append(.disappeared(sighting))
            }
        }
    }

    /// Where something lies that may be this code, and from which this frame gave nothing; `nil`: there is nothing, or the code would have been read.
    private func unreadPlace(of sighting: Sighting, in result: ReadResult) -> Quad? {
        // A misread mustn't be remembered for long enough to be misread once more. And what was away for half a round is another article.
        guard sighting.isConfirmed, sighting.regularity.isRare, sighting.missedReads <= limits.missedReads / 2,
            sighting.frame.exposedAt.duration(to: result.frame.exposedAt) < limits.unreadPatience
        else { return nil }
        let last = sighting.unreadPlace ?? sighting.symbol.corners
        return result.places.first { place in
            place.fits(sighting.symbol.symbology) && place.corners.isLike(last)
                && !result.symbols.contains { $0.corners.overlaps(place.corners) }
        }?.corners
    }

    private mutating func forget(_ sighting: Sighting) {
        sightings[sighting.id] = nil
        let code = Code(symbology: sighting.identity.symbology, bytes: sighting.identity.bytes)
        idsByCode[code]?.removeAll { $0 == sighting.id }
        if idsByCode[code]?.isEmpty == true { idsByCode[code] = nil }
    }

    // MARK: Late results

    private mutating func confirm(late symbols: [Symbol], decodeTime: Duration) -> [Action] {
        var actions: [Action] = []
        var confirmed: [Sighting] = []
        for (code, places) in grouped(symbols) {
            for (place, id) in matched(places, with: idsByCode[code] ?? []) {
                guard let id, var sighting = sightings[id], !sighting.isConfirmed else { continue }
                for symbol in place { sighting.add(symbol, limit: limits.maxObservations) }
                confirmIfAgreed(&sighting, at: newestExposure ?? sighting.frame.exposedAt, actions: &actions)
                sightings[id] = sighting
                if sighting.isConfirmed { confirmed.append(sighting) }
            }
        }
        return actions + ReadingOrder.sorted(confirmed, by: \.symbol).map(Action.seen)
    }
}

extension Symbol {
    /// A matrix code of which our own reader had to restore a part: whoever else reads something there is right.
    fileprivate var isRestored: Bool { symbology.isRestorable && evidence.decoder == .soft }

    /// Whether `other` can't be there, too: other data within the same bars, or where error correction may invent some.
    fileprivate func isRival(of other: Symbol) -> Bool {
        let areLinear = symbology.isLinear && other.symbology.isLinear
        // A code may have a smaller one in its middle, and both are right.
        if symbology == other.symbology, other.isRestored {
            return bytes != other.bytes && corners.isLike(other.corners)
        }
        let isInvented = symbology == other.symbology && symbology.correctionMayInvent
        if other.part.isPart(of: part) { return true }
        if part.isPart(of: other.part) { return false }
        return (areLinear || isInvented) && bytes != other.bytes && corners.overlaps(other.corners)
    }

    fileprivate var part: CodePart { CodePart(symbology, bytes, at: corners) }
}
