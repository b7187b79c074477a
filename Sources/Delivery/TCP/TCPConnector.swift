import Glibc
import ScanCore

/// Connects to the first of several addresses that answers (`ConnectRace`). Belongs to one event loop, and calls `done` once,
/// on it.
final class TCPConnector {
    private struct Attempt {
        let descriptor: Descriptor
        let watch: Int
    }

    private let loop: EventLoop
    private let addresses: [SocketAddress]
    private let timeout: Duration
    private var race: ConnectRace
    private var events: [ConnectRace.Event] = []
    private var isStepping = false
    private var attempts: [Int: Attempt] = [:]
    private var failures: [String] = []
    private var timer: Int?
    private var done: ((Result<Descriptor, DeliveryError>) -> Void)?

    /// `timeout`: for all addresses together.
    init(
        loop: EventLoop, addresses: [SocketAddress], timeout: Duration,
        done: @escaping (Result<Descriptor, DeliveryError>) -> Void
    ) {
        self.loop = loop
        self.addresses = addresses
        self.timeout = timeout
        self.done = done
        race = ConnectRace(candidates: addresses.count, timeout: timeout)
    }

    func start() { step(.begin) }

    /// `done` isn't called any more.
    func cancel() {
        done = nil
        for attempt in attempts.values { loop.unwatch(attempt.watch) }
        attempts = [:]
        timer.map(loop.cancelTimer)
        timer = nil
    }

    /// An action may bring the next event about: it waits until the actions before it are done.
    private func step(_ event: ConnectRace.Event) {
        events.append(event)
        guard !isStepping else { return }
        isStepping = true
        while !events.isEmpty {
            for action in race.handle(events.removeFirst(), at: EventLoop.now()) { perform(action) }
        }
        isStepping = false
    }

    private func perform(_ action: ConnectRace.Action) {
        switch action {
        case .connect(let index): connect(index)
        case .wakeAt(let instant):
            timer.map(loop.cancelTimer)
            timer = instant.map { instant in loop.setTimer(at: instant) { self.step(.timer) } }
        case .abandon(let index): _ = take(index)
        case .won(let index):
            guard let attempt = take(index) else { return }
            conclude(.success(attempt.descriptor))
        case .lost(let silent):
            failures += silent.map { "\(addresses[$0]): no answer within \(timeout) (connectTimeout)" }
            conclude(.failure(DeliveryError(.system, failures.joined(separator: "; "))))
        }
    }

    private func connect(_ index: Int) {
        let address = addresses[index]
        guard let descriptor = TCPSocket.make(address.family) else { return failed(index, SystemError()) }
        if let error = TCPSocket.connect(descriptor, to: address) { return failed(index, error) }
        let watch = loop.watch(descriptor.number, events: POLLOUT) { _ in self.writable(index) }
        attempts[index] = Attempt(descriptor: descriptor, watch: watch)
    }

    private func writable(_ index: Int) {
        guard let attempt = attempts[index] else { return }
        guard let error = TCPSocket.connectError(attempt.descriptor) else { return step(.connected(index)) }
        _ = take(index)
        failed(index, error)
    }

    private func failed(_ index: Int, _ error: SystemError) {
        failures.append("\(addresses[index]): \(error.text)")
        step(.failed(index))
    }

    private func take(_ index: Int) -> Attempt? {
        guard let attempt = attempts.removeValue(forKey: index) else { return nil }
        loop.unwatch(attempt.watch)
        return attempt
    }

    private func conclude(_ result: Result<Descriptor, DeliveryError>) {
        let done = done
        self.done = nil
        done?(result)
    }
}
