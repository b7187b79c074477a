import Glibc
import Linux

/// How programs of this machine are found and started, for those that then wait for them in their own way.
package enum Spawn {
    /// Three descriptors, which the caller still owns; `nil` means /dev/null for input and output, and the caller's own for errors.
    package struct Streams {
        var input: Int32?
        var output: Int32?
        var errors: Int32?

        package init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    /// Starts a program with these streams and no signal blocked or ignored: whoever starts it may have done either.
    /// - Parameters:
    ///   - program: a path, or a name that is looked for.
    ///   - environment: beside the caller's own.
    ///   - isApart: in a process group of its own, so that a terminal's Ctrl-C isn't for it.
    package static func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], _ streams: Streams,
        isApart: Bool = false
    ) throws -> pid_t {
        guard let path = find(program) else {
            throw PeerFailure(
                "there is no \(program) here: deploy/install-dependencies --tests gets what the tests need")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        for (number, descriptor, flags) in [(0, streams.input, O_RDONLY), (1, streams.output, O_WRONLY)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", flags, 0)
            }
        }
        if let errors = streams.errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
        var attributes = posix_spawnattr_t()
        var (none, every) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&every)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &every)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var pid: pid_t = 0
        let status = withCStrings([program] + arguments) { arguments in
            withCStrings(variables(with: environment)) {
                posix_spawn(&pid, path, &actions, &attributes, arguments, $0)
            }
        }
        guard status == 0 else { throw PeerFailure("cannot start \(program): \(SystemError(status).text)") }
        return pid
    }

    /// A program's path; `nil`: it isn't installed. Also where only root's PATH leads: Debian has mosquitto there.
    package static func find(_ program: String) -> String? {
        if program.contains("/") { return program }
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "") + ":/usr/bin:/bin:/usr/sbin:/sbin"
        return folders.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    private static func variables(with changes: [String: String]) -> [String] {
        var all: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if changes[String(text.prefix { $0 != "=" })] == nil { all.append(text) }
            next += 1
        }
        return all + changes.map { "\($0)=\($1)" }
    }
}
