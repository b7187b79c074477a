import Glibc
import Synchronization
import Vocabulary

/// Has a reader process decode a camera's JPEG frames, one after the other: what a webcam sends is a stranger's picture, so the station
/// doesn't decode it itself.
///
/// The process writes into shared memory whose size neither side can change. When it reports that it is done, the content is handed over in
/// place: the receiver copies it once, and looks only at the copy.
package final class FrameUnpacker: Sendable {
    package struct Limits: Hashable, Sendable {
        /// For one frame. A PC takes 4 ms for 1920×1080, a Zero 2 W some ten times that.
        package var deadline: Duration = .seconds(1)
        /// Address space of the process.
        package var memoryLimitMegabytes = 1024

        package init() {}
    }

    package enum Outcome: Hashable, Sendable {
        case unpacked
        /// Skipped: not whole, of another size, or not a JPEG. The reason completes a sentence.
        case damaged(String)
        /// The process is gone, and the frame with it, for this reason.
        case lost(String)
    }

    private let size: FrameSize
    private let limits: Limits
    private let process = RenderingSlot.Handle()
    private let slot: Mutex<RenderingSlot>

    package convenience init(
        size: FrameSize, limits: Limits = Limits(), executable: String = ReaderExecutable.locatePictures()
    ) { self.init(size: size, limits: limits, executable: executable, faults: []) }

    /// - Parameter faults: test aids of the reader process, such as `--fault crash-on-frame=2`.
    package init(size: FrameSize, limits: Limits = Limits(), executable: String, faults: [String]) {
        self.size = size
        self.limits = limits
        slot = Mutex(
            RenderingSlot(
                executable: executable, memoryLimitMegabytes: limits.memoryLimitMegabytes, faults: faults,
                handle: process))
    }

    /// Waits until a process is ready.
    package func start() throws(ReaderError) {
        let result = slot.withLock { slot in
            Result { () throws(ReaderError) in _ = try slot.ready(for: size) }
        }
        try result.get()
    }

    package var isStarted: Bool { slot.withLock { $0.worker?.isAlive ?? false } }

    /// Waits for the process, after `start`. Calls `use` only with all of the frame's luma, rows without padding; the process may still write
    /// there.
    package func unpack(_ frame: CompressedFrame, _ use: (UnsafeRawPointer) -> Void) -> Outcome {
        guard frame.isJPEG else { return .damaged("they are not JPEG files") }
        return slot.withLock { slot in
            guard let worker = slot.worker else { return .lost("the process that decodes them isn't running") }
            let shown = slot.show(
                frame.file, on: size, maxPixels: UInt64(size.width * size.height), within: limits.deadline, by: worker)
            switch shown {
            case .shown(size, damage: nil):
                use(worker.canvas.pixels)
                return .unpacked
            case .shown(size, damage: _): return .damaged("parts of them are missing or wrong")
            case .shown(let other, damage: _): return .damaged("they have \(other) pixels instead of \(size)")
            case .refused(let reason): return .damaged(reason)
            case .lost(let loss):
                slot.drop()
                return .lost("the process that decodes them \(loss.phrase)")
            }
        }
    }

    /// Ends the process; an `unpack` under way is lost.
    package func stop() { process.kill() }
}
