import Delivery
import ScanCore
import Settings
import Vocabulary
import Wire

/// The scans that a host can name, which of them it still has to answer, and the list that answers in its place.
struct HostDesk {
    typealias Action = HostAnswerMachine.Action

    /// Scans that a command can name, newest last.
    static let scanLimit = 256

    private var machine: HostAnswerMachine
    private var timer = WakeTimer()
    /// Texts that count as accepted when no host answers; `nil` if there is no list.
    private var allowList: AllowList?
    private var scans: [ScanEvent] = []
    /// What was said about them, by the scans' ids.
    private var answers: [String: AnswerEvent] = [:]

    init(settings: HostSettings) { machine = HostAnswerMachine(settings: settings) }

    /// Changes apply to scans and answers to come; another list applies once it is loaded.
    var settings: HostSettings {
        get { machine.settings }
        set { machine.settings = newValue }
    }

    var latest: ScanEvent? { scans.last }

    func find(_ id: String) -> ScanEvent? { scans.last { $0.scan.id == id } }

    /// The latest scan of this very code.
    func latest(of symbol: Symbol) -> ScanEvent? {
        scans.last { $0.scan.symbol.symbology == symbol.symbology && $0.scan.symbol.bytes == symbol.bytes }
    }

    /// An answer that was told.
    mutating func note(_ answer: AnswerEvent) {
        if find(answer.scan) != nil { answers[answer.scan] = answer }
    }

    func answer(to scan: String) -> AnswerEvent? { answers[scan] }

    /// Scans that can still be answered in time, oldest first.
    func open(at now: Instant) -> [String] { machine.open(at: now) }

    /// A scan was kept.
    mutating func expectAnswer(to event: ScanEvent, at now: Instant) -> [Action] {
        if scans.count == Self.scanLimit { answers[scans.removeFirst().scan.id] = nil }
        scans.append(event)
        let scan = event.scan
        let isAllowed = allowList.map { list in scan.symbol.text.map(list.contains) ?? false }
        return machine.handle(.scan(id: scan.id, acceptedAt: scan.acceptedAt, isAllowed: isAllowed), at: now)
    }

    mutating func take(_ answer: HostAnswer, at now: Instant) -> [Action] {
        machine.handle(
            .answer(
                scan: answer.scan, isAccepted: answer.isAccepted, reason: answer.reason, relay: answer.relay,
                by: answer.output),
            at: now)
    }

    /// The time of the last `wake` has come.
    mutating func timerRang(at now: Instant) -> [Action] { machine.handle(.tick, at: now) }

    /// Calls back at `moment` instead of any moment set before; `nil`: no call any more.
    mutating func wake(at moment: Instant?, now: Instant, _ call: @escaping @Sendable () async -> Void) {
        timer.set(at: moment, now: now, call)
    }

    /// No more calls.
    mutating func stop() { timer.cancel() }

    /// Reads `host.allowList` again. Returns how many texts it has; `nil` if none is configured. If it can't be read, throws the reason,
    /// and nothing is allowed.
    mutating func loadAllowList() throws(DeliveryError) -> (path: String, count: Int)? {
        allowList = nil
        guard let path = settings.allowList else { return nil }
        let list = try AllowList(path: path)
        allowList = list
        return (path, list.count)
    }
}
