import Vocabulary

/// Decides when a person is told why a code isn't read, and when that is over.
///
/// A diagnosis is one look at one frame: somebody may still be bringing the code into view, and the next frame may read it. So a place is
/// reported when the latest diagnosis shows it, too, and it has stayed unread for `patience`; no longer, once it is read, or two diagnoses
/// don't show it. The reason that is reported changes when two diagnoses in a row give another one. What moves farther during an exposure
/// than a blurred edge is wide is moving.
package struct UnreadMachine: Sendable {
    package enum Event: Sendable {
        case result(ReadResult)
        /// Nobody looks any more (a session ended, a pause began, the camera is lost), or something else is looked for. What was exposed until
        /// then says nothing about what comes.
        case stopped(at: Instant)
    }

    package enum Action: Hashable, Sendable {
        /// Everything that isn't read now, the likeliest code first; empty: nothing any more.
        case tell([UnreadCode])
    }

    package struct Limits: Hashable, Sendable {
        /// How long a place must stay unread.
        package var patience: Duration = .milliseconds(700)
        /// What was read so recently isn't unread, although a diagnosis says so: it looked at another frame.
        package var memory: Duration = .seconds(2)
        /// How long a code outside the viewport counts as there after it was read.
        package var outsideMemory: Duration = .milliseconds(1500)
        /// Diagnoses in a row that don't show a place.
        package var misses = 2
        package var maxPlaces = 16
        package var maxReads = 256

        package init() {}
    }

    /// What news is made of: figures and corners change all the time.
    fileprivate struct Reason: Hashable {
        var kind: UnreadCode.Kind
        var cause: UnreadCause
        var symbology: Symbology?

        init(_ code: UnreadCode) { (kind, cause, symbology) = (code.kind, code.cause, code.symbology) }
    }

    fileprivate struct Place {
        let id: UInt64
        var code: UnreadCode
        /// Exposure of the first look that showed it; of the latest.
        var since: Instant
        var seenAt: Instant
        var missed = 0
        /// Another reason, which only the latest diagnosis gave.
        var other: Reason?
        var isTold = false

        var isPicture: Bool { code.kind == .picture }
        /// It was read: no diagnosis shows it.
        var isOutside: Bool { code.cause == .outsideViewport }
    }

    private let limits: Limits
    /// In the order of the latest diagnosis.
    private var places: [Place] = []
    private var reads: [(corners: Quad, at: Instant)] = []
    private var stoppedAt: Instant?
    private var nextID: UInt64 = 1

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// The likeliest code that isn't read, told or not: for a session that ends without a scan.
    package var likeliest: UnreadCode? { places.first { $0.missed == 0 }?.code }

    /// What a person was told and still holds.
    package var told: [UnreadCode] { toldFrames.map(\.code) }

    /// The same, each with the exposure of the frame that its corners are of.
    package var toldFrames: [(code: UnreadCode, exposedAt: Instant)] {
        places.filter(\.isTold).map { ($0.code, $0.seenAt) }
    }

    package mutating func handle(_ event: Event) -> [Action] {
        let before = news
        switch event {
        case .stopped(let at):
            places = []
            reads = []
            stoppedAt = at
        case .result(let result):
            if let stoppedAt, result.frame.exposedAt <= stoppedAt { return [] }
            take(result)
        }
        return news == before ? [] : [.tell(told)]
    }

    private var news: [UInt64: Reason] {
        Dictionary(uniqueKeysWithValues: places.filter(\.isTold).map { ($0.id, Reason($0.code)) })
    }

    private mutating func take(_ result: ReadResult) {
        let now = result.frame.exposedAt
        switch result.outcome {
        case .crashed, .timedOut: return
        case .blank: places.removeAll { !$0.isPicture }
        case .diagnosed: diagnose(result)
        case .unchanged: note(result.symbols, at: now)
        case .decoded, .climbed, .climbedToEnd:
            note(result.symbols, at: now)
            places.removeAll { $0.isOutside && $0.seenAt.duration(to: now) > limits.outsideMemory }
            for code in result.unread { see(code, at: now) }
        }
        for index in places.indices where places[index].missed == 0 {
            let place = places[index]
            // A code that only passes through the margin is read there once.
            let until = place.isOutside ? place.seenAt : now
            if place.since.duration(to: until) >= limits.patience { places[index].isTold = true }
        }
    }

    private mutating func note(_ symbols: [Symbol], at now: Instant) {
        guard !symbols.isEmpty else { return }
        reads.removeAll { read in
            read.at.duration(to: now) > limits.memory || symbols.contains { read.corners.overlaps($0.corners) }
        }
        reads = (reads + symbols.map { ($0.corners, now) }).suffix(limits.maxReads)
        places.removeAll { place in
            symbols.contains { symbol in
                place.code.corners.overlaps(symbol.corners)
                    || place.isOutside && place.code.symbology == symbol.symbology
            }
        }
    }

    private mutating func diagnose(_ result: ReadResult) {
        let now = result.frame.exposedAt
        reads.removeAll { $0.at.duration(to: now) > limits.memory }
        let codes = result.unread.filter { code in !reads.contains { $0.corners.overlaps(code.corners) } }
        for index in places.indices where !places[index].isOutside { places[index].missed += 1 }
        // What lies where it was comes before what may have moved.
        var moved: [UnreadCode] = []
        for code in codes {
            if let index = places.firstIndex(where: { $0.missed > 0 && $0.holds(code) }) {
                see(code, at: index, result)
            } else {
                moved.append(code)
            }
        }
        for code in moved {
            if let index = origin(of: code, at: now) { see(code, at: index, result) } else { see(code, at: now) }
        }
        places.removeAll { $0.missed >= limits.misses }
        let ranks = Dictionary(
            places.map { place in (place.id, codes.firstIndex { place.holds($0) } ?? codes.count) },
            uniquingKeysWith: { first, _ in first })
        places.sort { (ranks[$0.id] ?? 0, $0.id) < (ranks[$1.id] ?? 0, $1.id) }
    }

    /// One that is new, or was read outside the viewport.
    private mutating func see(_ code: UnreadCode, at now: Instant) {
        if let index = places.firstIndex(where: { $0.isOutside && $0.holds(code) && Reason($0.code) == Reason(code) }) {
            places[index].code = code
            places[index].seenAt = now
        } else if places.count < limits.maxPlaces {
            places.append(Place(id: nextID, code: code, since: now, seenAt: now))
            nextID += 1
        }
    }

    /// The same place again.
    private mutating func see(_ code: UnreadCode, at index: Int, _ result: ReadResult) {
        var place = places[index]
        let seen = moving(code, from: place, in: result) ?? code
        let reason = Reason(seen)
        let isSame = reason == Reason(place.code)
        let isAgreed = isSame || reason == place.other || !place.isTold
        place.other = isSame ? nil : reason
        if isAgreed { place.code = seen } else { place.code.corners = seen.corners }
        place.missed = 0
        place.seenAt = result.frame.exposedAt
        places[index] = place
    }

    /// How far a code may have moved between two diagnoses, in its own longer sides, and how much time may lie between them.
    private static let longestWay = (sides: 2.0, time: Duration.milliseconds(1200))

    /// The place from which it may have moved here.
    private func origin(of code: UnreadCode, at now: Instant) -> Int? {
        let side = max(code.corners.bounds.width, code.corners.bounds.height)
        let reach = Self.longestWay.sides * side
        return places.indices.filter { index in
            let place = places[index]
            return place.missed > 0 && place.code.kind == code.kind && !place.isPicture && !place.isOutside
                && place.seenAt.duration(to: now) <= Self.longestWay.time
                && code.corners.isAsLarge(as: place.code.corners)
                && place.code.corners.centre.squaredDistance(to: code.corners.centre) <= reach * reach
        }.min {
            places[$0].code.corners.centre.squaredDistance(to: code.corners.centre)
                < places[$1].code.corners.centre.squaredDistance(to: code.corners.centre)
        }
    }

    /// A code that moves by fewer pixels, or modules, during an exposure isn't smeared by it.
    private static let leastSmear = (pixels: 1.5, modules: 0.8)

    /// The same with another reason, if movement explains it.
    private func moving(_ code: UnreadCode, from place: Place, in result: ReadResult) -> UnreadCode? {
        let now = result.frame.exposedAt
        guard code.kind != .picture, code.cause == .blurred || code.cause == .tooSmall || code.cause == .damaged,
            let size = result.size, let exposure = result.frame.exposureMicroseconds, place.seenAt < now
        else { return nil }
        let (from, to) = (place.code.corners.centre, code.corners.centre)
        let (dx, dy) = ((to.x - from.x) * Double(size.width), (to.y - from.y) * Double(size.height))
        let seconds = place.seenAt.duration(to: now).milliseconds / 1000
        let smear = (dx * dx + dy * dy).squareRoot() / seconds * Double(exposure) / 1_000_000
        let least = max(Self.leastSmear.pixels, (code.moduleWidth ?? 0) * Self.leastSmear.modules)
        guard smear >= least else { return nil }
        var moving = code
        moving.cause = .moving
        moving.figure = smear
        return moving
    }
}

extension UnreadMachine.Place {
    /// Whether it lies where `code` does. All of the picture is a place of its own.
    fileprivate func holds(_ code: UnreadCode) -> Bool {
        isPicture == (code.kind == .picture) && isOutside == (code.cause == .outsideViewport)
            && self.code.corners.overlaps(code.corners)
    }
}

extension Quad {
    /// Whether the areas around them differ by less than half.
    fileprivate func isAsLarge(as other: Quad) -> Bool {
        let (own, others) = (bounds.width * bounds.height, other.bounds.width * other.bounds.height)
        return min(own, others) > 0.5 * max(own, others)
    }
}
