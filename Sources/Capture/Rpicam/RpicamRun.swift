import CLinux
import Glibc
import Vocabulary

/// One run of the program: the process and our ends of its three pipes.
final class RpicamRun {
    let program: Program
    /// Read end of the frames.
    let frames: Int32
    private let errors: Int32
    private let records: Int32
    private var hasErrors = true
    private(set) var hasRecords: Bool
    private(set) var metadata = RpicamMetadata()
    private(set) var talk = RpicamTalk()

    /// On the thread that reads it: the program ends with that thread.
    init(_ plan: RpicamDevice.Plan) throws(CameraFailure) {
        var pipes: [[Int32]] = []
        func closeAll() { for end in pipes.joined() { Glibc.close(end) } }
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            let status = CLinux_pipe(&ends)
            guard status == 0 else {
                closeAll()
                throw .unavailable(.cannotBeAcquired(detail: "no pipe: \(String(cString: strerror(-status)))"))
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

    /// Until any pipe has something, or `wake` is signalled.
    func wait(wake: Int32) {
        var polled = [
            pollfd(fd: frames, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        if hasErrors { polled.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0)) }
        if hasRecords { polled.append(pollfd(fd: records, events: Int16(POLLIN), revents: 0)) }
        _ = poll(&polled, nfds_t(polled.count), -1)
    }

    /// Takes what came on standard error and about the frames.
    func drainTalk() {
        if hasErrors { hasErrors = Self.drain(errors) { talk.add($0) } }
        drainRecords()
    }

    /// Bytes of frames; 0 at the end, -1: none now.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Glibc.read(frames, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? -1 : 0
    }

    /// They don't come, and aren't waited for.
    func expectNoRecords() { hasRecords = false }

    /// Whether frames' bytes are waiting.
    var hasMore: Bool {
        var polled = pollfd(fd: frames, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// What the program tells of a frame, for which it gets this many milliseconds; `nil`: nothing.
    func record(of number: Int, patience: Duration) -> RpicamMetadata.Record? {
        drainRecords()
        while hasRecords, metadata.count <= number {
            var polled = pollfd(fd: records, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, Int32(clamping: Int64(patience.milliseconds))) > 0 else { break }
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
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 {
                body(bytes[..<count])
            } else if count == 0 {
                return false
            } else if errno != EINTR {
                return errno == EAGAIN
            }
        }
    }
}
