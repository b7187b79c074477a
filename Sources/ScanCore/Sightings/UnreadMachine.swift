import Vocabulary

/// Decides when a person is told why a code isn't read, and when that is over.
///
/// A diagnosis is one look at one frame: somebody may still be bringing the code into view, and the next frame may read it. So a place is
/// told once it has stayed unread for `patience`, and no longer once it is read, or two diagnoses don't show it. The reason that is told
/// changes when two diagnoses in a row give another one. What moves farther during an exposure than a blurred edge is wide is moving.
package struct UnreadMachine: Sendable {
    package enum Event: Sendable {
        case result(ReadResult)
        /// Nobody looks any more: a session ended, or a pause began.
        case stopped
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
        /// Diagnoses in a row that don't show a place.
        package var misses = 2
        package var maxPlaces = 16
        package var maxReads = 256

        package init() {}
    }

    private struct Place {
        var code: UnreadCode
        /// Exposure of the first diagnosis that showed it; of the latest.
        var since: Instant
        var seenAt: Instant
        var missed = 0
        /// Another reason, which only the latest diagnosis gave.
        var otherCause: UnreadCause?
        var isTold = false
    }

    private let limits: Limits
    /// In the order of the latest diagnosis.
    private var places: [Place] = []
    private var reads: [(corners: Quad, at: Instant)] = []

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// The likeliest code that isn't read, told or not: for a session that ends without a scan.
    package var likeliest: UnreadCode? { places.first?.code }

    /// What a person was told and still holds.
    package var told: [UnreadCode] { places.filter(\.isTold).map(\.code) }

    package mutating func handle(_ event: Event) -> [Action] {
        let before = told
        switch event {
        case .stopped:
            places = []
            reads = []
        case .result(let result): take(result)
        }
        let after = told
        let isNews =
            before.count != after.count
            || zip(before, after).contains {
                $0.cause != $1.cause || $0.kind != $1.kind || $0.symbology != $1.symbology
            }
        return isNews ? [.tell(after)] : []
    }

    private mutating func take(_ result: ReadResult) {
        let now = result.frame.exposedAt
        switch result.outcome {
        case .blank: places = []
        case .crashed, .timedOut: return
        case .diagnosed: diagnose(result)
        case .decoded, .unchanged, .climbed, .climbedToEnd:
            note(result.symbols, at: now)
            for code in result.unread { add(code, at: now, size: result.size, exposure: nil) }
        }
        for index in places.indices where places[index].since.duration(to: now) >= limits.patience {
            places[index].isTold = true
        }
    }

    private mutating func note(_ symbols: [Symbol], at now: Instant) {
        guard !symbols.isEmpty else { return }
        reads.removeAll { read in
            read.at.duration(to: now) > limits.memory || symbols.contains { read.corners.isShared(with: $0.corners) }
        }
        reads = (reads + symbols.map { ($0.corners, now) }).suffix(limits.maxReads)
        places.removeAll { place in symbols.contains { place.code.corners.isShared(with: $0.corners) } }
    }

    private mutating func diagnose(_ result: ReadResult) {
        let now = result.frame.exposedAt
        reads.removeAll { $0.at.duration(to: now) > limits.memory }
        for index in places.indices { places[index].missed += 1 }
        for code in result.unread where !reads.contains(where: { $0.corners.isShared(with: code.corners) }) {
            add(code, at: now, size: result.size, exposure: result.frame.exposureMicroseconds)
        }
        places.removeAll { $0.missed >= limits.misses }
        // The likeliest of this diagnosis first.
        let order = result.unread.map(\.corners)
        places = places.enumerated().sorted { left, right in
            let rank = { (place: Place) in order.firstIndex { $0.isShared(with: place.code.corners) } ?? order.count }
            return (rank(left.element), left.offset) < (rank(right.element), right.offset)
        }.map(\.element)
    }

    private mutating func add(_ code: UnreadCode, at now: Instant, size: FrameSize?, exposure: Int32?) {
        guard let index = index(of: code) else {
            guard places.count < limits.maxPlaces else { return }
            return places.append(Place(code: code, since: now, seenAt: now))
        }
        var place = places[index]
        let seen = moving(code, from: place, at: now, size: size, exposure: exposure) ?? code
        let isSame = seen.cause == place.code.cause
        let isAgreed = isSame || seen.cause == place.otherCause || !place.isTold
        place.otherCause = isSame ? nil : seen.cause
        if isAgreed { place.code = seen } else { place.code.corners = seen.corners }
        place.missed = 0
        place.seenAt = now
        places[index] = place
    }

    /// The place that holds it, or from which it may have moved here.
    private func index(of code: UnreadCode) -> Int? {
        let isPicture = code.kind == .picture
        if let index = places.firstIndex(where: {
            ($0.code.kind == .picture) == isPicture && $0.code.corners.isShared(with: code.corners)
        }) {
            return index
        }
        return places.indices.filter { index in
            places[index].missed > 0 && places[index].code.kind == code.kind
                && code.corners.isAsLarge(as: places[index].code.corners)
        }.min {
            places[$0].code.corners.centre.squaredDistance(to: code.corners.centre)
                < places[$1].code.corners.centre.squaredDistance(to: code.corners.centre)
        }
    }

    /// A code that moves by fewer pixels, or modules, during an exposure isn't smeared by it.
    private static let leastSmear = (pixels: 1.5, modules: 0.8)

    /// The same with another reason, if movement explains it.
    private func moving(
        _ code: UnreadCode, from place: Place, at now: Instant, size: FrameSize?, exposure: Int32?
    ) -> UnreadCode? {
        guard code.kind != .picture, code.cause == .blurred || code.cause == .tooSmall || code.cause == .damaged,
            let size, let exposure,
            place.seenAt < now
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

extension Quad {
    /// Whether the centre of one lies within the other.
    fileprivate func isShared(with other: Quad) -> Bool { contains(other.centre) || other.contains(centre) }

    /// Whether the areas around them differ by less than half.
    fileprivate func isAsLarge(as other: Quad) -> Bool {
        let (own, others) = (bounds.width * bounds.height, other.bounds.width * other.bounds.height)
        return min(own, others) > 0.5 * max(own, others)
    }
}
