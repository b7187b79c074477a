import Dispatch
import Glibc
import Linux

/// Waits for SIGTERM or SIGINT, or for the end of standard input, which the parent holds open.
final class EndOfProcess: Sendable {
    private let stream: AsyncStream<Void>

    /// Returns once signals arrive here.
    init(withParent: Bool) {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        Signals.handle([SIGTERM, SIGINT]) { _ in continuation.yield() }
        guard withParent else { return }
        // It blocks for as long as the parent lives: a queue of its own.
        DispatchQueue(label: "console.parent").async {
            var byte: UInt8 = 0
            while uninterrupted({ read(STDIN_FILENO, &byte, 1) }) > 0 {}
            continuation.yield()
        }
    }

    func wait() async { for await _ in stream { return } }
}
