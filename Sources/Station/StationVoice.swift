import Linux
import Logging
import Synchronization
import Vocabulary
import Wire

/// What the station says: events for clients, outputs and observers, lines for the log, and why it can't go on.
///
/// The scan loop speaks, and so do the desks beside it; all of them in the actor's turn, so everybody hears it in the same order.
final class StationVoice: Sendable {
    /// What events are stamped with.
    let clock: MachineClock
    private let publisher: EventPublisher
    private let log: Mutex<RateLimitedLog>
    private let failureReport = FailureReport()

    init(_ publisher: EventPublisher, clock: MachineClock, log: RateLimitedLog) {
        self.publisher = publisher
        self.clock = clock
        self.log = Mutex(log)
    }

    /// The station's name on the wire.
    var name: String { publisher.station }

    // MARK: Events

    /// An event that happens now, for somebody who publishes it later.
    func event(_ body: Event.Body) -> Event { publisher.event(body) }

    func publish(_ event: Event, toOutputs: Bool = true) { publisher.publish(event, toOutputs: toOutputs) }

    /// Tells outputs, socket clients and observers.
    func publish(_ body: Event.Body, toOutputs: Bool = true) { publish(event(body), toOutputs: toOutputs) }

    func publish(
        state: String, of part: String, reason: String? = nil, detail: String? = nil, fields: [String: JSONValue] = [:],
        toOutputs: Bool = true
    ) {
        let event = StateEvent(part: part, state: state, reason: reason, detail: detail, fields: fields)
        publish(.state(event), toOutputs: toOutputs)
    }

    /// Events from now on; the newest 256 wait for a slow reader.
    func events() -> AsyncStream<Event> { publisher.events() }

    /// The station ends: no more events.
    func finish() { publisher.finish() }

    // MARK: The log

    func note(_ level: Logger.Level, kind: String, _ text: String) {
        log.withLock { $0.write(level, kind: kind, text, at: clock.now) }
    }

    /// The settings changed.
    func updateLog(level: Logger.Level, maxPerSecond: Int) {
        log.withLock { $0.update(level: level, maxPerSecond: maxPerSecond) }
    }

    /// An error for everybody and for the log, where it counts as a line of `kind`, or of the part by default.
    func complain(
        _ part: String, _ code: String, _ text: String, kind: String? = nil, _ level: Logger.Level = .error
    ) {
        note(level, kind: kind ?? part, text)
        publish(.error(ErrorEvent(part: part, code: code, message: text)))
    }

    // MARK: The end

    /// Why the station can't go on. For one reader.
    var failures: AsyncStream<StationError> { failureReport.reasons }

    /// Tells the station's owner, which stops the station as on a signal, lines first, and exits with a special code.
    func fail(_ reason: StationError) { failureReport.tell(reason) }

    /// No reason to end will follow.
    func finishFailures() { failureReport.finish() }
}
