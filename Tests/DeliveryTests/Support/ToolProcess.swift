import Glibc
import Synchronization
import TestSupport

/// A program that a test runs beside itself: what it writes can be read, and it is gone when the test is.
final class ToolProcess: Sendable {
    /// Its standard output and standard error, together.
    let output: ByteEnd
    private let process: pid_t
    private let status = Mutex<Int32?>(nil)

    /// `nil`: there is no such program.
    init?(_ program: String, _ arguments: [String]) {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: a socket pair is closed in other tests' programs from the start.
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        // The test's threads may have signals blocked.
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        var every = sigset_t()
        sigemptyset(&none)
        sigfillset(&every)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            close(ends[1])
        }
        var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var started: pid_t = 0
        guard posix_spawnp(&started, program, &actions, &attributes, &texts, environ) == 0 else {
            close(ends[0])
            return nil
        }
        process = started
        output = ByteEnd(ends[0])
    }

    deinit { end(SIGKILL) }

    /// Its exit status, or minus the signal that ended it.
    @discardableResult
    func wait() async -> Int32 { await blocking { self.reap() } }

    func stop(_ signal: Int32 = SIGTERM) async {
        await blocking { self.end(signal) }
    }

    private func end(_ signal: Int32) {
        status.withLock { status in
            guard status == nil else { return }
            kill(process, signal)
        }
        _ = reap()
    }

    private func reap() -> Int32 {
        status.withLock { status in
            if let status { return status }
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
            let ended = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
            status = ended
            return ended
        }
    }
}
