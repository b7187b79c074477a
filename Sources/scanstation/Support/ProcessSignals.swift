import Dispatch
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a stream: the station stops in good order instead of dying where it stands.
final class ProcessSignals: Sendable {
    let arrivals: AsyncStream<Int32>
    private let endsProcess = Mutex<ContinuousClock.Instant?>(nil)
    /// `timeout` and terminals send a signal twice: to the process and to its group. That is no second wish.
    static let patience: Duration = .seconds(1)

    /// Returns when they arrive here. A signal that comes earlier does to the process what it does to any: nothing is put away yet,
    /// and ignored meanwhile it would be lost.
    init(_ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        arrivals = stream
        let registered = DispatchSemaphore(value: 0)
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The handler keeps its source alive for as long as the process wants its signals: to the end.
            source.setEventHandler { [self] in
                if let from = endsProcess.withLock(\.self), from <= .now { Self.end(with: number) }
                continuation.yield(number)
                withExtendedLifetime(source) {}
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
        }
        for _ in numbers { registered.wait() }
    }

    /// A signal ends the process at once from a moment on: the orderly end is under way, and somebody can't wait for it.
    func endOnNext() { endsProcess.withLock { $0 = .now.advanced(by: Self.patience) } }

    private static func end(with number: Int32) {
        Console.error(
            "scanstation: ended before everything was put away; `scanstation lines off` drives the lines safe")
        _exit(128 + number)
    }

    /// A closed pipe is an error of the write that met it, not the end of the process.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
