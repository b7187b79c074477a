import CLinux
import Glibc
import Linux
import Vocabulary

/// One run of the program: the process and our ends of its three pipes.
final class RpicamRun {
    let program: Program
    /// The read end of the frames' pipe.
    let frames: Int32
    private let errors: Int32
    private let records: Int32
    private var hasErrors = true
    private(set) var hasRecords: Bool
    private(set) var metadata = RpicamMetadata()
    private(set) var talk = RpicamTalk()

    /// Call it on the thread that reads: the program ends with that thread.
    init(_ plan: RpicamDevice.Plan) throws(CameraFailure) {
        var pipes: [[Int32]] = []
        func closeAll() { for end in pipes.joined() { Glibc.close(end) } }
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            let status = CLinux_pipe(&ends)
            guard status == 0 else {
                closeAll()
                throw .unavailable(.cannotBeAcquired(detail: "no pipe: \(SystemError(-status).text)"))
            }
            pipes.append(ends)
        }
        do throws(Program.NotStarted) {
            program = try Program(
                plan.program, plan.arguments.list, outputs: (pipes[0][1], pipes[1][1], pipes[2][1]))
        } catch {
            closeAll()
            throw .unavailable(.cannotBeAcquired(detail: error.description))
        }
        for ends in pipes {
            Glibc.close(ends[1])
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        }
        (frames, errors, records) = (pipes[0][0], pipes[1][0], pipes[2][0])
        hasRecords = plan.arguments.hasMetadata
    }

    deinit {
        program.signal(SIGKILL)
        _ = program.reap(wait: true)
        for end in [frames, errors, records] { Glibc.close(end) }
    }

    /// Waits until any pipe has something, or it is woken.
    func wait(_ waker: Waker) {
        var polled = [pollfd(frames), pollfd(waker.descriptor)]
        if hasErrors { polled.append(pollfd(errors)) }
        if hasRecords { polled.append(pollfd(records)) }
        _ = anyIsReady(&polled)
    }

    /// Takes what came on standard error, and the records about frames.
    func drainTalk() {
        if hasErrors { hasErrors = Self.drain(errors) { talk.add($0) } }
        drainRecords()
    }

    /// Bytes of frames; 0: the end, -1: none now.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Glibc.read(frames, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? -1 : 0
    }

    /// No records will come, so don't wait for them.
    func expectNoRecords() { hasRecords = false }

    /// Whether frames' bytes are waiting.
    var hasMore: Bool { isReady(frames) }

    /// What the program says about a frame, waiting at most this long; `nil`: nothing.
    func record(of number: Int, patience: Duration) -> RpicamMetadata.Record? {
        drainRecords()
        while hasRecords, metadata.count <= number {
            guard isReady(records, within: patience) else { break }
            drainRecords()
        }
        return metadata.take(number)
    }

    private func drainRecords() {
        if hasRecords { hasRecords = Self.drain(records) { metadata.add($0) } }
    }

    /// `false` at its end.
    private static func drain(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Void) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = uninterrupted { Glibc.read(descriptor, &bytes, bytes.count) }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            body(bytes[..<count])
        }
    }
}
