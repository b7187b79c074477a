import Glibc

/// Somebody else's program that a test runs: its output can be read, and it ends with this object.
package final class ToolProcess: Sendable {
    /// Its standard output, and standard error with it.
    package let output: ByteEnd
    private let process: ChildProcess

    /// - Parameter isFed: what is written to `output` is its standard input, which ends with this object; what it says on standard
    ///   error is seen where the tests run.
    package init(_ program: String, _ arguments: [String], isFed: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: a socket pair is closed in other tests' programs from the start.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw PeerFailure("no sockets for \(program)")
        }
        defer { close(ends[1]) }
        output = ByteEnd(ends[0])
        process = try ChildProcess(
            program, arguments,
            Spawn.Streams(input: isFed ? ends[1] : nil, output: ends[1], errors: isFed ? nil : ends[1]))
    }

    deinit { process.send(SIGKILL) }

    /// Waits for its end: the exit code, or 128 + the signal that ended it.
    package func wait() async -> Int32 { await process.end() }

    /// Ends it, and waits until it has.
    package func stop(_ signal: Int32 = SIGTERM) async {
        process.send(signal)
        _ = await process.end()
    }

    /// Runs a program to its end; it must succeed.
    package static func run(_ program: String, _ arguments: [String]) async throws {
        let tool = try ToolProcess(program, arguments)
        let said = String(decoding: await tool.output.readToEnd(), as: UTF8.self)
        let status = await tool.wait()
        guard status == 0 else { throw PeerFailure("\(program) ended with \(status): \(said)") }
    }
}
