import Glibc
import Linux
import Vocabulary

/// Connects to the first of several addresses that answers (`ConnectRace`). Its owner opens the sockets, each with the `Link` it will
/// become. Belongs to one event loop, and calls `done` once, on it.
final class AddressRace<Link, Problem: Error> {
    struct Lost: Error {
        /// By number of the address, in the order in which they failed.
        var failures: [(index: Int, problem: Problem)] = []
        /// Neither connected nor failed in time.
        var silent: [Int] = []
    }

    private struct Attempt {
        let link: Link
        let socket: Int32
        let watch: Int
    }

    private let loop: EventLoop
    private var race: ConnectRace
    private var events: [ConnectRace.Event] = []
    private var isStepping = false
    private var opening: Set<Int> = []
    private var attempts: [Int: Attempt] = [:]
    private var failures: [(index: Int, problem: Problem)] = []
    private var timer: Int?
    private var open: ((AddressRace, Int) -> Void)?
    private let describe: (Link, SystemError) -> Problem
    private var done: ((Result<Link, Lost>) -> Void)?

    /// - Parameters:
    ///   - timeout: for all addresses together.
    ///   - open: begins to connect to the address with this number, and calls `opened`, at once or later.
    ///   - describe: says why the system couldn't connect a link.
    init(
        loop: EventLoop, candidates: Int, timeout: Duration, open: @escaping (AddressRace, Int) -> Void,
        describe: @escaping (Link, SystemError) -> Problem, done: @escaping (Result<Link, Lost>) -> Void
    ) {
        self.loop = loop
        self.open = open
        self.describe = describe
        self.done = done
        race = ConnectRace(candidates: candidates, timeout: timeout)
    }

    func start() { step(.begin) }

    /// From here on, `done` isn't called any more.
    func cancel() {
        (open, done) = (nil, nil)
        for attempt in attempts.values { loop.unwatch(attempt.watch) }
        attempts = [:]
        timer.map(loop.cancelTimer)
        timer = nil
    }

    /// The socket is connecting, or couldn't be opened. One that comes too late is dropped.
    func opened(_ index: Int, _ result: Result<(link: Link, socket: Int32), Problem>) {
        guard done != nil, opening.remove(index) != nil else { return }
        switch result {
        case .failure(let problem): failed(index, problem)
        case .success((let link, let socket)):
            let watch = loop.watch(socket, events: POLLOUT) { _ in self.writable(index) }
            attempts[index] = Attempt(link: link, socket: socket, watch: watch)
        }
    }

    /// An action may cause the next event, which waits until the earlier actions are done.
    private func step(_ event: ConnectRace.Event) {
        events.append(event)
        guard !isStepping else { return }
        isStepping = true
        while !events.isEmpty {
            for action in race.handle(events.removeFirst(), at: Instant.now) { perform(action) }
        }
        isStepping = false
    }

    private func perform(_ action: ConnectRace.Action) {
        switch action {
        case .connect(let index):
            opening.insert(index)
            open?(self, index)
        case .wakeAt(let instant):
            timer.map(loop.cancelTimer)
            timer = instant.map { instant in loop.setTimer(at: instant) { self.step(.timer) } }
        case .abandon(let index):
            opening.remove(index)
            _ = take(index)
        case .won(let index):
            guard let attempt = take(index) else { return }
            conclude(.success(attempt.link))
        case .lost(let silent): conclude(.failure(Lost(failures: failures, silent: silent)))
        }
    }

    private func writable(_ index: Int) {
        guard let attempt = attempts[index] else { return }
        guard let error = TCPSocket.connectError(attempt.socket) else { return step(.connected(index)) }
        _ = take(index)
        failed(index, describe(attempt.link, error))
    }

    private func failed(_ index: Int, _ problem: Problem) {
        failures.append((index, problem))
        step(.failed(index))
    }

    private func take(_ index: Int) -> Attempt? {
        guard let attempt = attempts.removeValue(forKey: index) else { return nil }
        loop.unwatch(attempt.watch)
        return attempt
    }

    private func conclude(_ result: Result<Link, Lost>) {
        let done = done
        (open, self.done) = (nil, nil)
        done?(result)
    }
}
