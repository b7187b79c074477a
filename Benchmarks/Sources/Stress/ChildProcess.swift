import CLinux
import Foundation
import Synchronization
import TestSupport

/// A program that a test starts, kills and starts again, from any thread. It never outlives the test.
///
/// This isn't Foundation's `Process`, which reports an end through the run loop of the thread that asks, so that a test that kills hundreds
/// of processes from several threads waits forever. Nor is it the tests' `ChildProcess`, for which tasks wait that may be cancelled: here
/// threads wait.
final class ChildProcess: Sendable {
    let pid: Int32
    private let status = Mutex<Int32?>(nil)
    private let forget: @Sendable () -> Void

    /// - Parameters:
    ///   - standardInput: descriptor that it reads; the caller still owns it; `nil`: nothing.
    ///   - standardOutput: descriptor that its lines go to; the caller still owns it; `nil`: nowhere.
    ///   - log: file that its standard error is appended to.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], standardInput: Int32? = nil,
        standardOutput: Int32? = nil, log: String
    ) throws {
        let error = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard error >= 0 else { throw BenchmarkFailure("can't write \(log)") }
        defer { close(error) }
        pid = try Spawn.start(
            executable, arguments, environment: environment,
            Spawn.Streams(input: standardInput, output: standardOutput, errors: error), isApart: true)
        forget = CleanUp.shared.add(undo: { [pid] in _ = kill(pid, SIGKILL) }).forget
    }

    var isRunning: Bool { reap(WNOHANG) == nil }

    /// Exit status, or `nil` after a signal. Returns when the process is gone.
    @discardableResult
    func end(_ signal: Int32) -> Int32? {
        if isRunning { kill(pid, signal) }
        return wait()
    }

    @discardableResult
    func wait() -> Int32? {
        while true {
            if let status = reap(WNOHANG) { return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil }
            usleep(500)
        }
    }

    /// What `waitpid` says, once.
    private func reap(_ options: Int32) -> Int32? {
        status.withLock { status in
            guard status == nil else { return status }
            var found: Int32 = 0
            guard waitpid(pid, &found, options) == pid else { return nil }
            status = found
            // Its number may be another process's from now on.
            forget()
            return found
        }
    }
}

/// What a child writes to its standard output, line by line.
enum ChildLines {
    /// Starts the child with `make`, which gets the descriptor for its standard output, and reads until all writers have closed it.
    static func read(
        _ make: (Int32) throws -> ChildProcess, _ body: @escaping @Sendable (Substring) -> Void
    ) throws -> (ChildProcess, LineThread) {
        var ends: [Int32] = [-1, -1]
        guard CLinux_pipe(&ends) == 0 else { throw BenchmarkFailure("no pipe") }
        defer { close(ends[1]) }
        do {
            let process = try make(ends[1])
            return (process, LineThread(ends[0], body))
        } catch {
            close(ends[0])
            throw error
        }
    }
}
