import Glibc
import Synchronization
import Vocabulary

/// Has a reader process put picture files on frames, for a replay. Whatever a hostile file does to that process costs only that picture.
///
/// The process writes into shared memory whose size neither side can change. When it reports that it is done, the content is copied, and
/// only the copy is looked at.
package final class PictureRenderer: Sendable {
    package struct Limits: Hashable, Sendable {
        /// For one picture, from the file to the frame. A Zero 2 W needs some ten times a PC's time.
        package var deadline: Duration = .seconds(30)
        package var maxFileBytes = 64 << 20
        /// A picture with more pixels is refused.
        package var maxPixels: UInt64 = 100_000_000
        /// Address space of the process.
        package var memoryLimitMegabytes = 1536

        package init() {}
    }

    /// A frame with a picture on it.
    package struct Rendering: Hashable, Sendable {
        /// The frame's pixels, rows without padding.
        package var pixels: [UInt8]
        /// The picture's own size.
        package var size: FrameSize
        /// What is missing or wrong in it; one line.
        package var damage: String?
    }

    private let limits: Limits
    private let process = RenderingSlot.Handle()
    private let slot: Mutex<RenderingSlot>

    package convenience init(limits: Limits = Limits(), executable: String = ReaderExecutable.locatePictures()) {
        self.init(limits: limits, executable: executable, faults: [])
    }

    /// - Parameter faults: test aids of the reader process, such as `--fault crash-on-frame=2`.
    init(limits: Limits, executable: String, faults: [String]) {
        self.limits = limits
        slot = Mutex(
            RenderingSlot(
                executable: executable, memoryLimitMegabytes: limits.memoryLimitMegabytes, faults: faults,
                handle: process))
    }

    /// Waits for the process, so don't call it on the cooperative pool. The error names the file.
    package func render(_ name: FileName, on frame: FrameSize) throws(ReaderError) -> Rendering {
        let result = slot.withLock { slot in
            Result { () throws(ReaderError) in try render(name, on: frame, &slot) }
        }
        return try result.get()
    }

    /// Ends the process; the next picture starts another. A `render` under way fails.
    package func stop() { process.kill() }

    private func render(
        _ name: FileName, on frame: FrameSize, _ slot: inout RenderingSlot
    ) throws(ReaderError) -> Rendering {
        let file = try PictureFile.load(.file(name), maxBytes: limits.maxFileBytes)
        let isUsed = slot.worker != nil
        var (worker, outcome) = try show(file, on: frame, &slot)
        // After-effects of an earlier picture may have ended the process: this picture is to blame only if it had a fresh process.
        if case .lost(let loss) = outcome, loss != .timedOut, isUsed {
            slot.drop()
            (worker, outcome) = try show(file, on: frame, &slot)
        }
        switch outcome {
        case .shown(let size, let damage):
            return Rendering(pixels: worker.canvas.copy(count: frame.width * frame.height), size: size, damage: damage)
        case .refused(let reason):
            throw ReaderError("\(name): \(reason)")
        case .lost(.timedOut):
            slot.drop()
            throw ReaderError("\(name): not decoded within \(limits.deadline): too large for a replay on this machine")
        case .lost(let loss):
            slot.drop()
            throw ReaderError("\(name) can't be opened: the reader process \(loss.phrase)")
        }
    }

    private func show(
        _ file: borrowing PictureFile, on frame: FrameSize, _ slot: inout RenderingSlot
    ) throws(ReaderError) -> (RenderingWorker, RenderingWorker.Outcome) {
        let worker = try slot.ready(for: frame)
        let outcome = slot.show(
            file, on: frame, maxPixels: limits.maxPixels, within: limits.deadline, by: worker)
        return (worker, outcome)
    }
}
