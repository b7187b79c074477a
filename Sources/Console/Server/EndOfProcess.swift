import Dispatch
import Glibc

/// Waits for SIGTERM or SIGINT, or for the end of standard input, which the parent holds open.
final class EndOfProcess: Sendable {
    private let stream: AsyncStream<Void>

    /// Returns once signals arrive here.
    init(withParent: Bool) {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        let registered = DispatchSemaphore(value: 0)
        for number in [SIGTERM, SIGINT] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                continuation.yield()
                withExtendedLifetime(source) {}
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            registered.wait()
        }
        guard withParent else { return }
        // It blocks for as long as the parent lives: a queue of its own.
        DispatchQueue(label: "console.parent").async {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            continuation.yield()
        }
    }

    func wait() async { for await _ in stream { return } }
}
