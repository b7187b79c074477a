import Glibc
import Linux
import Vocabulary

/// One run of the program: the process and our ends of its three pipes.
final class RpicamRun {
    let program: Program
    /// The read end of the frames' pipe.
    let frames: Descriptor
    private let errors: Descriptor
    private let records: Descriptor
    private var hasErrors = true
    private(set) var hasRecords: Bool
    private(set) var metadata = RpicamMetadata()
    private(set) var talk = RpicamTalk()

    /// Call it on the thread that reads: the program ends with that thread.
    init(_ plan: RpicamDevice.Plan) throws(CameraFailure) {
        do throws(Program.NotStarted) {
            program = try Program(plan.program, plan.arguments.list, [.pipe, .pipe, .pipe])
        } catch { throw .unavailable(.cannotBeAcquired(detail: error.description)) }
        (frames, errors, records) = (program.outputs[0], program.outputs[1], program.outputs[2])
        hasRecords = plan.arguments.hasMetadata
    }

    deinit {
        program.signal(SIGKILL)
        _ = program.reap(wait: true)
    }

    /// Waits until any pipe has something, or it is woken.
    func wait(_ waker: Waker) {
        var polled = [pollfd(frames.number), pollfd(waker.descriptor)]
        if hasErrors { polled.append(pollfd(errors.number)) }
        if hasRecords { polled.append(pollfd(records.number)) }
        _ = anyIsReady(&polled)
    }

    /// Takes what came on standard error, and the records about frames.
    func drainTalk() {
        if hasErrors { hasErrors = Self.drain(errors) { talk.add($0) } }
        drainRecords()
    }

    /// Bytes of frames; 0: the end, -1: none now.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = uninterrupted { Glibc.read(frames.number, buffer.baseAddress, buffer.count) }
        if count >= 0 { return count }
        return errno == EAGAIN ? -1 : 0
    }

    /// No records will come, so don't wait for them.
    func expectNoRecords() { hasRecords = false }

    /// Whether frames' bytes are waiting.
    var hasMore: Bool { isReady(frames.number) }

    /// What the program says about a frame, waiting at most this long; `nil`: nothing.
    func record(of number: Int, patience: Duration) -> RpicamMetadata.Record? {
        drainRecords()
        while hasRecords, metadata.count <= number {
            guard isReady(records.number, within: patience) else { break }
            drainRecords()
        }
        return metadata.take(number)
    }

    private func drainRecords() {
        if hasRecords { hasRecords = Self.drain(records) { metadata.add($0) } }
    }

    /// `false` at its end.
    private static func drain(_ end: Descriptor, _ body: ([UInt8]) -> Void) -> Bool {
        while true {
            switch end.read(limit: 16_384) {
            case .bytes(let bytes): body(bytes)
            case .nothing: return true
            case .end, .failed: return false
            }
        }
    }
}
