import Linux
import ReaderProtocol
import Synchronization
import Vocabulary

/// The process that renders pictures, one after the other. It is started when needed; the caller drops it when it is lost. For one thread
/// at a time.
struct RenderingSlot {
    /// Ends the process while another thread waits for it.
    final class Handle: Sendable {
        fileprivate let process = Mutex<WorkerProcess?>(nil)

        func kill() { process.withLock { $0?.kill() } }
    }

    private(set) var worker: RenderingWorker?
    private var nextTicket: UInt64 = 1
    private let executable: String
    private let arguments: [String]
    private let handle: Handle

    /// - Parameter faults: test aids of the reader process, such as `--fault crash-on-frame=2`.
    init(executable: String, memoryLimitMegabytes: Int, faults: [String], handle: Handle) {
        self.executable = executable
        self.handle = handle
        arguments = ["--memory-limit", String(memoryLimitMegabytes)] + faults
    }

    /// A live process whose canvas holds such a frame: the current one, or a new one.
    mutating func ready(for frame: FrameSize) throws(ReaderError) -> RenderingWorker {
        if let worker, worker.isAlive, worker.canvas.holds(frame) { return worker }
        drop()
        let worker = try RenderingWorker(executable: executable, arguments: arguments, frame: frame)
        handle.process.withLock { $0 = worker.process }
        self.worker = worker
        return worker
    }

    mutating func show(
        _ file: borrowing PictureFile, on frame: FrameSize, maxPixels: UInt64, within deadline: Duration,
        by worker: RenderingWorker
    ) -> RenderingWorker.Outcome {
        let order = ReaderRequest.ShowOrder(
            ticket: nextTicket, byteCount: file.byteCount, maxPixels: maxPixels, frame: frame)
        nextTicket += 1
        return worker.show(order, file, until: Instant.now.advanced(by: deadline))
    }

    mutating func drop() {
        handle.process.withLock { $0 = nil }
        worker = nil
    }
}
