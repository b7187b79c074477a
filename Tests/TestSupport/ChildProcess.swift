import Glibc
import Linux
import Synchronization

/// A program that a test starts. A separate thread waits for its end. If a waiting task is cancelled, as when a test's time is over, the
/// program is killed: a process that hangs must not hold up all the tests.
package final class ChildProcess: Sendable {
    package let pid: pid_t
    private let exit: Task<Int32, Never>
    private let isReaped: Reaped

    /// Once it has ended, the process id may be another process's.
    private final class Reaped: Sendable {
        let isSo = Mutex(false)
    }

    /// The parameters are those of `Spawn.start`.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], _ streams: Spawn.Streams
    ) throws {
        pid = try Spawn.start(program, arguments, environment: environment, streams)
        let isReaped = Reaped()
        self.isReaped = isReaped
        exit = Task { [pid] in await blocking { Self.wait(for: pid, isReaped) } }
    }

    package var isRunning: Bool { isReaped.isSo.withLock { !$0 } }

    package func send(_ signal: Int32) { Self.send(signal, to: pid, isReaped) }

    /// Waits for the end, whatever causes it. The exit code; 128 + signal for a process that was ended by one, as shells say
    /// it.
    @discardableResult
    package func end() async -> Int32 { await endingIfCancelled { await exit.value } }

    /// Waits for something that comes from the process, or never once it has ended.
    package func endingIfCancelled<Value: Sendable>(_ body: () async -> Value) async -> Value {
        await withTaskCancellationHandler(operation: body) { [pid, isReaped] in Self.send(SIGKILL, to: pid, isReaped) }
    }

    private static func send(_ signal: Int32, to pid: pid_t, _ isReaped: Reaped) {
        isReaped.isSo.withLock { if !$0 { kill(pid, signal) } }
    }

    private static func wait(for pid: pid_t, _ isReaped: Reaped) -> Int32 {
        var information = siginfo_t()
        _ = uninterrupted { waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) }
        return isReaped.isSo.withLock { isReaped in
            isReaped = true
            var status: Int32 = 0
            guard uninterrupted({ waitpid(pid, &status, 0) }) == pid else { return -1 }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }
}
