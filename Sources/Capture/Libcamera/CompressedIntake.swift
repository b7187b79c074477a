import Dispatch
import Linux
import Reading
import Synchronization
import Vocabulary

/// Takes a webcam's JPEG frames on the camera's thread, has them decoded in a separate process, and passes on the result as luma, like any
/// other camera's. The newest frame wins: at most one waits, so that a slow machine drops frames instead of falling behind.
final class CompressedIntake: Sendable {
    private struct Waiting {
        var frame: CompressedFrame
        var info: FrameInfo
    }

    private struct State {
        var waiting: Waiting?
        var isAtWork = false
        var isStopping = false
    }

    private let size: FrameSize
    private let unpacker: FrameUnpacker
    private let receiver: any CameraReceiver
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())
    /// Used on the queue, and before the queue starts.
    private let machine = Mutex(UnpackMachine())
    private let queue = DispatchQueue(label: "scanstation.unpack", qos: .userInteractive)

    init(
        size: FrameSize, unpacker: FrameUnpacker, receiver: any CameraReceiver,
        now: @escaping @Sendable () -> Instant = { Instant.now }
    ) {
        self.size = size
        self.unpacker = unpacker
        self.receiver = receiver
        self.now = now
    }

    /// Waits until the process is ready: a station that can't decode must fail the start, not the run.
    func start() throws(CameraFailure) {
        do throws(ReaderError) { try unpacker.start() } catch {
            throw .unavailable(
                .cannotBeAcquired(detail: "it delivers MJPEG, which can't be decoded here: \(error.message)"))
        }
        machine.withLock { _ = $0.handle(.started, at: now()) }
    }

    /// On the camera's thread: copies the frame, and returns.
    func take(_ bytes: UnsafeRawBufferPointer, _ info: FrameInfo) {
        let frame: CompressedFrame
        // No memory for a frame doesn't end a run: the next one may find some, and if none does, the camera counts as silent.
        do throws(ReaderError) { frame = try CompressedFrame(copying: bytes) } catch { return receiver.frameDamaged() }
        let mustWake = state.withLock { state in
            guard !state.isStopping else { return false }
            state.waiting = Waiting(frame: frame, info: info)
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        if mustWake { queue.async { self.work() } }
    }

    /// Nothing is passed on after it has returned.
    func stop() {
        state.withLock {
            $0.isStopping = true
            $0.waiting = nil
        }
        unpacker.stop()
        settle()
    }

    /// Waits until everything taken has been passed on or left out.
    func settle() { queue.sync {} }

    // MARK: On the queue

    private func work() {
        while let next = nextFrame() {
            // Without a process, the frame is dropped.
            guard let event = unpack(next) else { continue }
            if event != .decoded { receiver.frameDamaged() }
            // What a stopped process makes of its last frame doesn't matter.
            guard !state.withLock(\.isStopping) else { continue }
            for action in machine.withLock({ $0.handle(event, at: now()) }) { perform(action) }
        }
    }

    /// `nil` ends the work.
    private func nextFrame() -> Waiting? {
        state.withLock { state in
            defer { state.waiting = nil }
            state.isAtWork = state.waiting != nil
            return state.waiting
        }
    }

    private func unpack(_ next: Waiting) -> UnpackMachine.Event? {
        if !unpacker.isStarted {
            guard machine.withLock({ $0.mayRestart(at: now()) }), !state.withLock(\.isStopping) else { return nil }
            do throws(ReaderError) { try unpacker.start() } catch { return .lost(error.message) }
        }
        let outcome = unpacker.unpack(next.frame) { pixels in
            receiver.frame(LumaFrame(base: pixels, size: size, rowStride: size.width, info: next.info))
        }
        switch outcome {
        case .unpacked: return .decoded
        case .damaged(let why): return .damaged(why)
        case .lost(let why): return .lost(why)
        }
    }

    private func perform(_ action: UnpackMachine.Action) {
        switch action {
        case .tellDamaged(let count, let why):
            receiver.event(
                .warning(
                    "\(count) frames within seconds came damaged and were left out (\(why)): check the camera's cable, and plug "
                        + "it into a port of its own"))
        case .tellLost(let why):
            receiver.event(.warning("a frame of the camera was lost: \(why); another process takes over"))
        case .fail(let why):
            receiver.event(
                .fault("its frames (MJPEG) can't be decoded: \(why); check its cable, or try another camera"))
        }
    }
}
