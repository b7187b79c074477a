import Glibc
import Linux
import Vocabulary

/// Runs a program to its end and keeps its output.
enum ProgramRun {
    struct Result: Sendable {
        var end: Child.End
        /// Standard output, and standard error if wanted; the last `longestText` bytes.
        var text: String
    }

    /// How much output is kept from a program that doesn't stop talking.
    static let longestText = 1 << 20

    /// Blocks the calling thread. A program that takes longer than `limit` is killed.
    static func run(
        _ path: String, _ arguments: [String], limit: Duration, withErrors: Bool = true
    ) throws(Program.NotStarted) -> Result {
        let program = try Program(path, arguments, [.pipe, withErrors ? .same : .nothing])
        let output = program.outputs[0]
        let deadline = Instant.now.advanced(by: limit)
        var bytes: [UInt8] = []
        while true {
            guard isReady(output.number, until: deadline) else {
                program.signal(SIGKILL)
                break
            }
            guard case .bytes(let more) = output.read(limit: 65_536) else { break }
            bytes += more
            if bytes.count > 2 * longestText { bytes.removeFirst(bytes.count - longestText) }
        }
        let end = program.reap(wait: true) ?? .exited(0)
        return Result(end: end, text: String(decoding: bytes.suffix(longestText), as: UTF8.self))
    }
}
