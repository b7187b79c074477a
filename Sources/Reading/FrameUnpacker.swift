import CLinux
import Glibc
import ScanCore
import Synchronization

/// Has a camera's JPEG frames decoded by a reader process, one after the other: what a webcam sends is a stranger's picture, and is
/// not looked into by the station itself.
///
/// The process writes into shared memory whose size neither side can change. What lies there when it says that it is done is handed
/// over in place: whoever takes it copies it once, and looks at the copy only.
public final class FrameUnpacker: Sendable {
    public struct Limits: Hashable, Sendable {
        /// For one frame. A PC takes 4 ms for 1920×1080, and a Zero 2 W some ten times that.
        public var deadline: Duration = .seconds(1)
        /// Address space of the process.
        public var memoryLimitMegabytes = 1024

        public init() {}
    }

    public enum Outcome: Hashable, Sendable {
        case unpacked
        /// Left out: not whole, of another size, or no JPEG. Why, as the end of a sentence.
        case damaged(String)
        /// The process is gone, and the frame with it; why.
        case lost(String)
    }

    private let size: FrameSize
    private let limits: Limits
    private let executable: String
    private let faults: [String]
    private struct State {
        var worker: RenderingWorker?
        var nextTicket: UInt64 = 1
    }

    private let state = Mutex(State())
    /// Ends the process while another thread waits for it.
    private let process = Mutex<WorkerProcess?>(nil)

    public convenience init(
        size: FrameSize, limits: Limits = Limits(), executable: String = ReaderExecutable.locatePictures()
    ) { self.init(size: size, limits: limits, executable: executable, faults: []) }

    /// - Parameter faults: test aids of the reader process, such as `--fault crash-on-frame=2`.
    package init(size: FrameSize, limits: Limits = Limits(), executable: String, faults: [String]) {
        self.size = size
        self.limits = limits
        self.executable = executable
        self.faults = faults
    }

    /// Waits until there is a process that is ready.
    public func start() throws(ReaderError) {
        let result = state.withLock { state in
            Result { () throws(ReaderError) in
                if let worker = state.worker, worker.isAlive { return }
                drop(&state)
                let memory = ["--memory-limit", String(limits.memoryLimitMegabytes)]
                let worker = try RenderingWorker(executable: executable, arguments: memory + faults, frame: size)
                process.withLock { $0 = worker.process }
                state.worker = worker
            }
        }
        try result.get()
    }

    public var isStarted: Bool { state.withLock { $0.worker?.isAlive ?? false } }

    /// Waits for the process, after `start`. `use` is called with all of the frame's luma, rows without padding, and only then; the
    /// process may still write there.
    public func unpack(_ frame: CompressedFrame, _ use: (UnsafeRawPointer) -> Void) -> Outcome {
        guard frame.isJPEG else { return .damaged("they are no JPEG files") }
        return state.withLock { state in
            guard let worker = state.worker else { return .lost("the process that decodes them isn't running") }
            let order = ReaderRequest.ShowOrder(
                ticket: state.nextTicket, byteCount: frame.file.byteCount,
                maxPixels: UInt64(size.width * size.height), frame: size)
            state.nextTicket += 1
            switch worker.show(order, frame.file, until: WorkerPool.now().advanced(by: limits.deadline)) {
            case .shown(size, damage: nil):
                use(worker.canvas.pixels)
                return .unpacked
            case .shown(size, damage: _): return .damaged("parts of them are missing or wrong")
            case .shown(let other, damage: _): return .damaged("they are of \(other) pixels instead of \(size)")
            case .refused(let reason): return .damaged(reason)
            case .lost(let loss):
                drop(&state)
                return .lost("the process that decodes them \(loss.phrase)")
            }
        }
    }

    /// Ends the process; an `unpack` under way is lost.
    public func stop() { process.withLock { $0?.kill() } }

    private func drop(_ state: inout State) {
        process.withLock { $0 = nil }
        state.worker = nil
    }
}
