import Delivery
import Linux
import Logging
import Vocabulary

/// Speaks with the service manager: ready, reloading, stopping, a line of status, and the watchdog's keep-alive.
///
/// `WatchdogMachine` decides when the watchdog is fed: on answers from the scan loop. Without a manager, no call does anything.
package actor ServiceNotifier {
    /// Sends a message; `false`: it couldn't be sent, and is tried again.
    package typealias Sender = @Sendable (String) -> Bool

    /// How often the status line is updated if no watchdog wants to hear more often.
    static let statusInterval: Duration = .seconds(5)
    /// Questions per watchdog interval: one may come late, and two may get lost.
    private static let questionsPerLimit = 4
    /// Readiness isn't reported before the journal is open or has said why it can't be; a disk that does neither doesn't hold it up for
    /// ever.
    private static let journalPatience: Duration = .seconds(30)
    /// How long a version on trial must have been ready and have fed the watchdog before it counts as good: three times the watchdog's limit.
    private static let trialTime: Duration = .seconds(60)
    /// How long, and how often, to offer a message that the manager doesn't take.
    private static let attempts = 50
    private static let attemptInterval: Duration = .milliseconds(100)

    private let send: Sender?
    private let log: Logger
    private let interval: Duration
    private var watchdog: WatchdogMachine?
    private var loop: Task<Void, Never>?
    private var status = ""
    private var toldStall: WatchdogMachine.Stall?
    private var isStopping = false
    /// At the last answer.
    private var works = false

    /// - Parameter environment: `nil`: there is no manager.
    package init(_ environment: ServiceEnvironment?, log: Logger) {
        let socket = environment.flatMap { ServiceSocket(name: $0.socket) }
        if let environment, socket == nil {
            log.warning("no socket to the service manager at \(environment.socket): it won't hear of this station")
        }
        var send: Sender?
        if let socket { send = { socket.send($0) } }
        self.init(watchdog: environment?.watchdog, log: log, send: send)
    }

    /// For tests: gets what would be sent.
    init(watchdog limit: Duration?, log: Logger, send: Sender?) {
        self.send = send
        self.log = log
        watchdog = limit.map { WatchdogMachine(limit: $0) }
        let wanted = limit.map { $0 / Self.questionsPerLimit } ?? Self.statusInterval
        interval = min(wanted, Self.statusInterval)
    }

    // MARK: What happens to the station

    /// The station was started. Reports readiness once it is clear whether scans can be kept, then asks the station for signs of life until
    /// `stopping`.
    /// - Parameter standing: of a version on trial, which is confirmed once it has been well for long enough.
    package func started(_ station: Station, _ standing: VersionStanding = .settled) {
        guard send != nil, loop == nil, !isStopping else { return }
        loop = Task { [weak self, interval] in
            _ = await withTimeLimit(Self.journalPatience) { await station.untilKeepingIsDecided() }
            await self?.ready(await station.serviceStatus)
            var trial = TrialMachine(isOnTrial: standing.isOnTrial, time: Self.trialTime)
            while !Task.isCancelled {
                let isWell = await self?.isWell ?? false
                if trial.look(isWell: isWell, at: Instant.now) == .confirm { await self?.confirm(standing) }
                await self?.askIfDue(station)
                try? await Task.sleep(for: interval, clock: .suspending)
            }
        }
    }

    /// The configuration is read again; `reloaded` ends it, however it went.
    package func reloading() async {
        await tell([
            .reloading(monotonicMicroseconds: MonotonicClock.nanoseconds / 1_000),
            .status("reading the configuration again"),
        ])
    }

    /// - Parameter problem: why the old configuration stays in force.
    package func reloaded(problem: String? = nil) async {
        await tell([.ready, .status(problem ?? status)])
    }

    /// The station ends, or couldn't be started.
    package func stopping(_ reason: String? = nil) async {
        isStopping = true
        loop?.cancel()
        await tell([.stopping, .status(reason ?? "stopping")])
    }

    // MARK: Inside

    /// Whether it works as far as a version can be judged by: the watchdog is fed, frames can be read and scans can be kept.
    private var isWell: Bool { toldStall == nil && works }

    private func confirm(_ standing: VersionStanding) {
        do {
            try standing.confirm()
            log.notice("this version has proved itself: it stays, whatever happens")
        } catch {
            log.warning(
                "\(VersionStanding.folder)/confirmed can't be written: \(error.text); this version stays on trial")
        }
    }

    private func ready(_ status: String) async {
        self.status = status
        guard !isStopping else { return }
        await tell([.ready, .status(status)])
    }

    private func askIfDue(_ station: Station) {
        guard !isStopping else { return }
        guard watchdog != nil else {
            Task { [weak self] in
                let status = await station.look().status
                await self?.show(status)
            }
            return
        }
        for action in watchdog?.handle(.due, at: now) ?? [] { perform(action, station, status: nil) }
    }

    private func answered(
        _ number: UInt64, _ station: Station, _ answer: (look: WatchdogLook, status: String, works: Bool)
    ) {
        guard !isStopping else { return }
        works = answer.works
        for action in watchdog?.handle(.answered(number, answer.look), at: now) ?? [] {
            perform(action, station, status: answer.status)
        }
    }

    private func perform(_ action: WatchdogMachine.Action, _ station: Station, status: String?) {
        switch action {
        case .ask(let number):
            // Not awaited: the next look comes whether or not there is an answer.
            Task { [weak self] in
                let answer = await station.look()
                await self?.answered(number, station, answer)
            }
        case .feed:
            // If one doesn't get through, others follow.
            _ = send?(ServiceMessage.datagram([.keepAlive]))
            if let status { show(status) }
        case .tell(let stall):
            if toldStall == nil { log.error("\(stall.text); the watchdog isn't fed meanwhile") }
            toldStall = stall
            show("\(stall.text); the watchdog isn't fed")
        case .tellOver:
            toldStall = nil
            log.notice("the scan loop is running again, and the watchdog is fed again")
        }
    }

    private func show(_ new: String) {
        guard new != status, !isStopping, send?(ServiceMessage.datagram([.status(new)])) == true else { return }
        status = new
    }

    /// For what must not get lost.
    private func tell(_ messages: [ServiceMessage]) async {
        guard let send else { return }
        let text = ServiceMessage.datagram(messages)
        for _ in 0..<Self.attempts {
            if send(text) { return }
            try? await Task.sleep(for: Self.attemptInterval, clock: .suspending)
        }
        log.warning("the service manager takes no message")
    }

    private var now: Instant { Instant.now }
}

extension WatchdogMachine.Stall {
    /// For people.
    var text: String {
        switch self {
        case .loopSilent(let time): "the scan loop hasn't answered for \(Int(time.milliseconds)) ms"
        case .part(let part, let time):
            "the \(part) had work to do and did nothing for \(Int(time.milliseconds)) ms"
        }
    }
}
