import CLinux
import Glibc

/// A running system program, in its own process group. It dies with the thread that started it, and is killed when the last reference to
/// this object is gone.
package final class Program: Sendable {
    /// What becomes of what it writes.
    package enum Output: Sendable {
        /// One of `outputs`.
        case pipe
        /// Into the pipe of the one before it.
        case same
        /// Nobody reads it.
        case nothing
    }

    package struct NotStarted: Error, Hashable, CustomStringConvertible {
        package var path: String
        /// errno.
        package var code: Int32

        package init(path: String, code: Int32) {
            self.path = path
            self.code = code
        }

        package var description: String { "\(path) can't be started: \(SystemError(code).text)" }
    }

    /// The environment variables that children get: not where the service manager listens, and no secrets.
    static let inherited = ["PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR"]

    package let path: String
    /// Our ends of its pipes, in their order.
    package let outputs: [Descriptor]
    private let child: Child

    /// Started on the calling thread, which must stay until the program has ended.
    /// - Parameter outputs: its descriptors 1, 2 and 3; those that are left out are `nothing`.
    package init(_ path: String, _ arguments: [String], _ outputs: [Output]) throws(NotStarted) {
        self.path = path
        var pipes: [PipeEnds] = []
        var numbers: [Int32] = [-1, -1, -1]
        do throws(SystemError) {
            for (index, output) in outputs.prefix(numbers.count).enumerated() {
                switch output {
                case .pipe:
                    pipes.append(try PipeEnds())
                    numbers[index] = pipes[pipes.count - 1].writer.number
                case .same: numbers[index] = index > 0 ? numbers[index - 1] : -1
                case .nothing: break
                }
            }
            child = try withExtendedLifetime(pipes) { () throws(SystemError) in
                try Child { Self.start(path, arguments, numbers, &$0) }
            }
        } catch { throw NotStarted(path: path, code: error.code) }
        self.outputs = pipes.map(\.reader)
    }

    private static func start(_ path: String, _ arguments: [String], _ outputs: [Int32], _ pid: inout pid_t) -> Int32 {
        let environment = inherited.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return withCStrings([path] + arguments) { arguments in
            withCStrings(environment) { environment in
                CLinux_start_program(path, arguments, environment, outputs, &pid)
            }
        }
    }

    deinit {
        signal(SIGKILL)
        _ = reap(wait: true)
    }

    /// Readable when it has ended; ours.
    package var ended: Int32 { child.ended }

    /// Signals it and everything that it started.
    package func signal(_ number: Int32) { child.signal(number) }

    /// How it ended, reported once; `nil` while it runs. What it started ends with it.
    package func reap(wait: Bool = false) -> Child.End? { child.reap(wait: wait) }

    /// Asks it to end with `number`, and kills it after `patience`.
    package func end(with number: Int32, patience: Duration) { child.end(with: number, patience: patience) }
}
