import Foundation
import TestSupport

/// Reads lines from a descriptor on a separate thread until its end, so that no writer ever waits for the test.
final class LineThread: Sendable {
    private let done = DispatchSemaphore(value: 0)

    /// This object owns the descriptor from now on.
    convenience init(_ descriptor: Int32, _ body: @escaping @Sendable (Substring) -> Void) {
        self.init(body) { descriptor }
    }

    /// Reads what the first client of a listening socket sends. This object owns the socket from now on.
    convenience init(accepting listener: Int32, _ body: @escaping @Sendable (Substring) -> Void) {
        self.init(body) {
            let client = accept(listener, nil, nil)
            close(listener)
            return client
        }
    }

    private init(_ body: @escaping @Sendable (Substring) -> Void, open: @escaping @Sendable () -> Int32) {
        let thread = Thread { [self] in
            let descriptor = open()
            var incoming = IncomingBytes()
            while incoming.fill(from: descriptor) > 0 {
                while let line = incoming.line() { body(Substring(decoding: line, as: UTF8.self)) }
            }
            close(descriptor)
            done.signal()
        }
        thread.start()
    }

    /// Until everything that was written has been read.
    func join() {
        done.wait()
        done.signal()
    }
}
