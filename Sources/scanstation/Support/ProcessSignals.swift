import Glibc
import Linux
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a stream: the station stops cleanly instead of dying on the spot.
final class ProcessSignals: Sendable {
    let arrivals: AsyncStream<Int32>
    private let endsProcess = Mutex<ContinuousClock.Instant?>(nil)
    /// `timeout` and terminals send a signal twice: to the process and to its group. That isn't a second request.
    static let patience: Duration = .seconds(1)

    /// Returns once signals arrive here. An earlier one ends the process: there is nothing to clean up yet.
    init(_ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        arrivals = stream
        Signals.handle(numbers) { [self] number in
            if let from = endsProcess.withLock(\.self), from <= .now { Self.end(with: number) }
            continuation.yield(number)
        }
    }

    /// From here on, a signal ends the process at once: the clean stop is under way, and somebody can't wait for it.
    func endOnNext() { endsProcess.withLock { $0 = .now.advanced(by: Self.patience) } }

    private static func end(with number: Int32) {
        Console.error(
            "scanstation: ended before the clean-up was done; `scanstation lines off` drives the lines to their safe levels"
        )
        _exit(128 + number)
    }

    /// Writing to a closed pipe fails; it doesn't end the process.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
