import Dispatch
import Linux
import Synchronization
import Vocabulary

/// Copies whole frames for previews, where the device's frame is still there; the shell of `PreviewMachine`.
///
/// While nobody asks, a frame costs one look at an atomic flag: no lock, no copy. When somebody does, the camera's thread copies rows of the
/// frame after the readers have theirs; the picture is made of that copy on a queue. One copy is held, and given back when nobody has
/// asked for a while.
final class PreviewTap: Sendable {
    /// Memory is kept for this long after the last preview.
    static let idleTime: Duration = .seconds(10)

    enum Answer: Sendable {
        case preview(Preview)
        /// No frame came.
        case nothing
        /// Too many wait already.
        case turnedAway
    }

    /// How the copied frame was delivered.
    private struct Source {
        var info: FrameInfo
        var size: FrameSize
        var orientation: Orientation
        var viewport: Viewport
    }

    private struct Picture {
        var sequence: UInt64
        var size: FrameSize
        var pixels: [UInt8]
        var light: PictureLight
        var sharpness: Double?
    }

    private struct State {
        var machine: PreviewMachine
        var askers: [UInt64: CheckedContinuation<Answer, Never>] = [:]
        var nextAsker: UInt64 = 1
        var plane: FramePlane?
        /// The camera's thread, or the queue, has it.
        var isPlaneTaken = false
        var source: Source?
        var picture: Picture?
        /// The results of frames around the copied one.
        var results: [ReadResult] = []
        var lastCodes: (sequence: UInt64, symbols: [Symbol])?
        var lastAsked = Instant.zero
        var isCleaning = false
    }

    private static let maxResults = 8

    private let wanted = Atomic<Bool>(false)
    private let timeout: Duration
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "scanstation.preview", qos: .utility)

    init(limits: PreviewMachine.Limits = PreviewMachine.Limits()) {
        timeout = limits.timeout
        state = Mutex(State(machine: PreviewMachine(limits: limits)))
    }

    /// Whether somebody waits for a picture.
    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    // MARK: Asking

    func next(after: UInt64?, maxWidth: Int) async -> Answer {
        let id = state.withLock { state in
            defer { state.nextAsker += 1 }
            return state.nextAsker
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = Instant.now
                let (isTurnedAway, cleans) = state.withLock { state in
                    let asker = PreviewMachine.Asker(id: id, after: after, maxWidth: maxWidth)
                    guard state.machine.handle(.asked(asker), at: now).isEmpty else { return (true, false) }
                    state.askers[id] = continuation
                    state.lastAsked = now
                    wanted.store(true, ordering: .relaxed)
                    defer { state.isCleaning = true }
                    return (false, !state.isCleaning)
                }
                guard !isTurnedAway else { return continuation.resume(returning: .turnedAway) }
                if cleans { clean(in: Self.idleTime) }
                queue.asyncAfter(deadline: .now() + timeout.timeInterval) { [weak self] in self?.leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Nothing came in time, or nobody waits any more.
    private func leave(_ id: UInt64) {
        let continuation = state.withLock { state in
            _ = state.machine.handle(.left(id), at: .now)
            wanted.store(state.machine.isWanted, ordering: .relaxed)
            return state.askers.removeValue(forKey: id)
        }
        continuation?.resume(returning: .nothing)
    }

    /// Frees the memory when nobody has asked for a while.
    private func clean(in time: Duration) {
        queue.asyncAfter(deadline: .now() + time.timeInterval) { [weak self] in
            guard let self else { return }
            let again = state.withLock { state -> Duration? in
                let idle = state.lastAsked.duration(to: .now)
                guard idle >= Self.idleTime, !state.isPlaneTaken, !state.machine.isWanted else {
                    return max(Self.idleTime - idle, .seconds(1))
                }
                state.plane = nil
                state.picture = nil
                state.source = nil
                state.results = []
                state.lastCodes = nil
                state.isCleaning = false
                return nil
            }
            if let again { clean(in: again) }
        }
    }

    // MARK: The camera's thread

    /// The frame that is copied already, if its result is still of interest.
    var copied: UInt64? { state.withLock { $0.machine.copied } }

    /// The readers have had this frame. `isAwaited`, `isCopyAwaited`: see `PreviewMachine.Event.frame`.
    func take(
        _ frame: LumaFrame, _ orientation: Orientation, _ viewport: Viewport, isAwaited: Bool, isCopyAwaited: Bool
    ) {
        let now = Instant.now
        let order = state.withLock { state -> (plane: FramePlane, maxWidth: Int)? in
            // The one before is still being made smaller.
            guard !state.isPlaneTaken else { return nil }
            let event = PreviewMachine.Event.frame(
                frame.info.sequence, isAwaited: isAwaited, isCopyAwaited: isCopyAwaited)
            let actions = state.machine.handle(event, at: now)
            guard case .copy(_, let maxWidth)? = actions.first else { return nil }
            if case .wakeAt(let moment)? = actions.last { wake(at: moment, now) }
            let bytes = frame.size.width * frame.size.height
            let plane = state.plane.flatMap { $0.count == bytes ? $0 : nil } ?? FramePlane(count: bytes)
            state.plane = plane
            state.isPlaneTaken = true
            state.picture = nil
            state.source = Source(
                info: frame.info, size: frame.size, orientation: orientation, viewport: viewport)
            return (plane, maxWidth)
        }
        guard let order else { return }
        FrameCopier.copyAll(frame, to: order.plane.pixels)
        let (sequence, size) = (frame.info.sequence, frame.size)
        queue.async { [self] in
            makePicture(order.plane, size, orientation, viewport, sequence, maxWidth: order.maxWidth)
        }
    }

    private func wake(at moment: Instant, _ now: Instant) {
        queue.asyncAfter(deadline: .now() + now.duration(to: moment).timeInterval) { [weak self] in
            self?.feed(.tick)
        }
    }

    // MARK: The queue

    private func makePicture(
        _ plane: FramePlane, _ size: FrameSize, _ orientation: Orientation, _ viewport: Viewport, _ sequence: UInt64,
        maxWidth: Int
    ) {
        let pixels = UnsafePointer(plane.pixels)
        let small = PictureShrinker.shrink(pixels, size, orientation, maxSide: maxWidth)
        let region = FrameView(frame: size, viewport: viewport, margin: 0, orientation: orientation).crop
        let sharpness = EdgeSharpness.of(pixels, width: size.width, region: region)
        let light = PictureLight(small.pixels)
        state.withLock { state in
            state.isPlaneTaken = false
            guard state.machine.copied == sequence else { return }
            state.picture = Picture(
                sequence: sequence, size: small.size, pixels: small.pixels, light: light, sharpness: sharpness)
        }
        feed(.pictured(sequence))
    }

    // MARK: The pool

    /// A frame's own result; called while the pool's lock is held.
    func note(_ result: ReadResult) {
        guard result.isRead else { return }
        state.withLock { state in
            if state.results.count == Self.maxResults { state.results.removeFirst() }
            state.results.append(result)
        }
        feed(.read(result.frame.sequence))
    }

    /// Each preview, and who gets it.
    private typealias Answers = [(preview: Preview, askers: [CheckedContinuation<Answer, Never>])]

    private func feed(_ event: PreviewMachine.Event) {
        let now = Instant.now
        let (answers, copy) = state.withLock { state -> (Answers, (plane: FramePlane, source: Source)?) in
            var answers: Answers = []
            for case .handOver(let sequence, let isRead, let ids) in state.machine.handle(event, at: now) {
                guard let preview = Self.takePreview(sequence, isRead: isRead, &state) else { continue }
                answers.append((preview, ids.compactMap { state.askers.removeValue(forKey: $0) }))
            }
            wanted.store(state.machine.isWanted, ordering: .relaxed)
            guard answers.contains(where: { !$0.preview.symbols.isEmpty }), !state.isPlaneTaken,
                let plane = state.plane,
                let source = state.source
            else { return (answers, nil) }
            state.isPlaneTaken = true
            return (answers, (plane, source))
        }
        guard let copy else { return Self.hand(answers) }
        // Not here: the pool's lock may be held.
        queue.async { [self] in
            var answers = answers
            for index in answers.indices {
                answers[index].preview.modulePixels = ModulePitch.least(
                    of: answers[index].preview.symbols, on: copy.plane.pixels, copy.source.size,
                    copy.source.orientation)
            }
            state.withLock { $0.isPlaneTaken = false }
            Self.hand(answers)
        }
    }

    private static func hand(_ answers: Answers) {
        for (preview, askers) in answers {
            for asker in askers { asker.resume(returning: .preview(preview)) }
        }
    }

    /// The preview of a frame whose picture is there; takes the picture and the results from the state.
    private static func takePreview(_ sequence: UInt64, isRead: Bool, _ state: inout State) -> Preview? {
        guard let picture = state.picture, picture.sequence == sequence, let source = state.source else { return nil }
        let result = state.results.last { $0.frame.sequence == sequence }
        let view = FrameView(
            frame: source.size, viewport: source.viewport, margin: 0, orientation: source.orientation)
        let frame = view.uprightSize
        let symbols = Self.distinct(result?.symbols ?? [])
        let movement = state.lastCodes.flatMap { last in
            Self.movement(from: last, to: (sequence, symbols), frame)
        }
        if isRead { state.lastCodes = (sequence, symbols) }
        state.results = []
        defer { state.picture = nil }
        return Preview(
            info: source.info, frame: frame, size: picture.size, pixels: picture.pixels, viewport: source.viewport,
            isRead: isRead, symbols: symbols, light: picture.light, sharpness: picture.sharpness,
            movement: movement)
    }

    /// Several passes over a frame may report one code.
    private static func distinct(_ symbols: [Symbol]) -> [Symbol] {
        symbols.enumerated().filter { index, symbol in
            !symbols[..<index].contains {
                $0.symbology == symbol.symbology && $0.bytes == symbol.bytes
                    && $0.corners.contains(symbol.corners.centre)
            }
        }.map(\.element)
    }

    /// The largest movement of a code that both pictures show, for one frame.
    private static func movement(
        from old: (sequence: UInt64, symbols: [Symbol]), to new: (sequence: UInt64, symbols: [Symbol]),
        _ frame: FrameSize
    ) -> Double? {
        guard new.sequence > old.sequence else { return nil }
        let frames = Double(new.sequence - old.sequence)
        return new.symbols.compactMap { symbol -> Double? in
            guard
                let before = old.symbols.first(where: {
                    $0.symbology == symbol.symbology && $0.bytes == symbol.bytes
                })
            else { return nil }
            let (from, to) = (before.corners.centre, symbol.corners.centre)
            let (x, y) = ((to.x - from.x) * Double(frame.width), (to.y - from.y) * Double(frame.height))
            return (x * x + y * y).squareRoot() / frames
        }.max()
    }
}

/// A frame's pixels, rows without padding.
///
/// `@unchecked Sendable`: `PreviewTap` gives it to one thread at a time (`isPlaneTaken`).
private final class FramePlane: @unchecked Sendable {
    let pixels: UnsafeMutablePointer<UInt8>
    let count: Int

    init(count: Int) {
        self.count = count
        pixels = .allocate(capacity: max(1, count))
        pixels.initialize(repeating: 0, count: max(1, count))
    }

    deinit { pixels.deallocate() }
}

extension Duration {
    /// For Dispatch.
    fileprivate var timeInterval: Double { max(0, milliseconds / 1000) }
}
