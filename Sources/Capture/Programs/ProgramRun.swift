import Glibc
import Linux

/// Runs a program to its end and keeps its output.
enum ProgramRun {
    struct Result: Sendable {
        var end: Program.End
        /// Standard output, and standard error if wanted; the last `longestText` bytes.
        var text: String
    }

    /// How much output is kept from a program that doesn't stop talking.
    static let longestText = 1 << 20

    /// Blocks the calling thread. A program that takes longer than `limit` is killed.
    static func run(
        _ path: String, _ arguments: [String], limit: Duration, withErrors: Bool = true
    ) throws(Program.NotStarted) -> Result {
        let (program, output) = try start(path, arguments, withErrors: withErrors)
        let deadline = MonotonicClock.nanoseconds + Int64(limit.milliseconds * 1_000_000)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = max(0, deadline - MonotonicClock.nanoseconds) / 1_000_000
            guard isReady(output.number, milliseconds: Int32(clamping: left)) else {
                program.signal(SIGKILL)
                break
            }
            let count = uninterrupted { read(output.number, &buffer, buffer.count) }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
            if bytes.count > 2 * longestText { bytes.removeFirst(bytes.count - longestText) }
        }
        let end = program.reap(wait: true) ?? .exited(0)
        return Result(end: end, text: String(decoding: bytes.suffix(longestText), as: UTF8.self))
    }

    /// The write end is the program's alone when this returns.
    private static func start(
        _ path: String, _ arguments: [String], withErrors: Bool
    ) throws(Program.NotStarted) -> (Program, output: Descriptor) {
        let pipe: Descriptor.Pipe
        do throws(SystemError) { pipe = try Descriptor.pipe() } catch {
            throw Program.NotStarted(path: path, code: error.code)
        }
        let writer = pipe.writer.number
        let program = try Program(path, arguments, outputs: (writer, withErrors ? writer : -1, -1))
        withExtendedLifetime(pipe) {}
        return (program, pipe.reader)
    }
}
