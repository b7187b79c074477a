import CLinux
import Glibc
import ScanCore
import Synchronization

/// Has picture files laid on frames by a reader process, for a replay. What a hostile file does to that process costs that picture.
///
/// The process writes into shared memory whose size neither side can change; what lies there when it says that it is done is
/// copied, and only the copy is looked at.
public final class PictureRenderer: Sendable {
    public struct Limits: Hashable, Sendable {
        /// For one picture, from the file to the frame. A Zero 2 W needs some ten times a PC's time.
        public var deadline: Duration = .seconds(30)
        public var maxFileBytes = 64 << 20
        /// A picture with more pixels is refused.
        public var maxPixels: UInt64 = 100_000_000
        /// Address space of the process.
        public var memoryLimitMegabytes = 1536

        public init() {}
    }

    /// A frame with a picture on it.
    public struct Rendering: Hashable, Sendable {
        /// Of the frame, rows without padding.
        public var pixels: [UInt8]
        /// The picture's own.
        public var size: FrameSize
        /// What is missing or wrong of it; one line.
        public var damage: String?
    }

    private struct State {
        var worker: RenderingWorker?
        var nextTicket: UInt64 = 1
    }

    private let limits: Limits
    private let executable: String
    private let faults: [String]
    private let state = Mutex(State())
    /// Ends the process while another thread waits for it.
    private let process = Mutex<WorkerProcess?>(nil)

    public convenience init(limits: Limits = Limits(), executable: String = ReaderExecutable.locatePictures()) {
        self.init(limits: limits, executable: executable, faults: [])
    }

    /// - Parameter faults: test aids of the reader process, such as `--fault crash-on-frame=2`.
    init(limits: Limits, executable: String, faults: [String]) {
        self.limits = limits
        self.executable = executable
        self.faults = faults
    }

    /// Waits for the process: not for the cooperative pool. The error names the file.
    public func render(_ name: FileName, on frame: FrameSize) throws(ReaderError) -> Rendering {
        let result = state.withLock { state in
            Result { () throws(ReaderError) in try render(name, on: frame, &state) }
        }
        return try result.get()
    }

    /// Ends the process; the next picture starts another. A `render` under way fails.
    public func stop() { process.withLock { $0?.kill() } }

    private func render(_ name: FileName, on frame: FrameSize, _ state: inout State) throws(ReaderError) -> Rendering {
        let file = try PictureFile.load(.file(name), maxBytes: limits.maxFileBytes)
        let isUsed = state.worker != nil
        var (worker, outcome) = try show(file, on: frame, &state)
        // What an earlier picture left behind may have ended the process: this one is to blame only in a process of its own.
        if case .lost(let loss) = outcome, loss != .timedOut, isUsed {
            drop(&state)
            (worker, outcome) = try show(file, on: frame, &state)
        }
        switch outcome {
        case .shown(let size, let damage):
            return Rendering(pixels: worker.canvas.copy(count: frame.width * frame.height), size: size, damage: damage)
        case .refused(let reason):
            throw ReaderError("\(name): \(reason)")
        case .lost(.timedOut):
            drop(&state)
            throw ReaderError("\(name): not decoded within \(limits.deadline): too large for a replay on this machine")
        case .lost(let loss):
            drop(&state)
            throw ReaderError("\(name) can't be opened: the reader process \(loss.phrase)")
        }
    }

    private func show(
        _ file: borrowing PictureFile, on frame: FrameSize, _ state: inout State
    ) throws(ReaderError) -> (RenderingWorker, RenderingWorker.Outcome) {
        let worker = try readyWorker(for: frame, &state)
        let order = ReaderRequest.ShowOrder(
            ticket: state.nextTicket, byteCount: file.byteCount, maxPixels: limits.maxPixels, frame: frame)
        state.nextTicket += 1
        return (worker, worker.show(order, file, until: WorkerPool.now().advanced(by: limits.deadline)))
    }

    private func drop(_ state: inout State) {
        process.withLock { $0 = nil }
        state.worker = nil
    }

    private func readyWorker(for frame: FrameSize, _ state: inout State) throws(ReaderError) -> RenderingWorker {
        if let worker = state.worker, worker.isAlive, worker.canvas.holds(frame) { return worker }
        drop(&state)
        let memory = ["--memory-limit", String(limits.memoryLimitMegabytes)]
        let worker = try RenderingWorker(executable: executable, arguments: memory + faults, frame: frame)
        process.withLock { $0 = worker.process }
        state.worker = worker
        return worker
    }
}
