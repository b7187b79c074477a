import CLinux
import Glibc
import Linux
import Vocabulary

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
        var ends: [Int32] = [-1, -1]
        let status = CLinux_pipe(&ends)
        guard status == 0 else { throw Program.NotStarted(path: path, code: -status) }
        defer { close(ends[0]) }
        let program: Program
        do throws(Program.NotStarted) {
            program = try Program(path, arguments, outputs: (ends[1], withErrors ? ends[1] : -1, -1))
        } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        let deadline = Instant.now.advanced(by: limit)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            guard isReady(ends[0], until: deadline) else {
                program.signal(SIGKILL)
                break
            }
            let count = uninterrupted { read(ends[0], &buffer, buffer.count) }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
            if bytes.count > 2 * longestText { bytes.removeFirst(bytes.count - longestText) }
        }
        let end = program.reap(wait: true) ?? .exited(0)
        return Result(end: end, text: String(decoding: bytes.suffix(longestText), as: UTF8.self))
    }
}
