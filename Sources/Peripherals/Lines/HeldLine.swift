import Settings
import Vocabulary

/// A line (or tone output) that one peripheral holds; `LineHold` decides when to try again. A value that its owner, an actor, isolates.
struct HeldLine<Line: Sendable>: Sendable {
    /// What became of the line in a call.
    enum Change: Hashable {
        case none
        /// It is ours, at its safe level: drive it to the wanted one.
        case held
        case lost(LineError)
    }

    typealias Open = @Sendable () throws(LineError) -> Line
    typealias Use<Result> = (Line) throws(LineError) -> Result

    let role: LineRole
    /// Its name in the configuration.
    let name: String
    private let open: Open
    private let close: @Sendable (Line) -> Void
    private let clock: any PeripheralClock
    private let notices: PeripheralNotices
    private var hold = LineHold()
    private var line: Line?
    private(set) var lastError: LineError?

    init(
        role: LineRole, name: String, clock: any PeripheralClock, notices: PeripheralNotices,
        open: @escaping Open, close: @escaping @Sendable (Line) -> Void
    ) {
        self.role = role
        self.name = name
        self.open = open
        self.close = close
        self.clock = clock
        self.notices = notices
    }

    var isHeld: Bool { hold.isHeld }
    var wakeAt: Instant? { hold.wakeAt }

    mutating func start() -> Change { handle(.start, check: { (_) throws(LineError) in }) }

    /// Does what is due: a new attempt, or `check` on a held line.
    mutating func tick(check: Use<Void>) -> Change { handle(.tick, check: check) }

    /// Closes the line, which drives its safe level, and tries no more.
    mutating func stop() { _ = handle(.stop, check: { (_) throws(LineError) in }) }

    /// Does something with the line. A failure loses it: the owner sees the error here, not as a `Change`.
    mutating func use<Result>(_ body: Use<Result>) throws(LineError) -> Result {
        guard let line else { throw lastError ?? unopened }
        do throws(LineError) {
            return try body(line)
        } catch {
            fail(error)
            throw error
        }
    }

    /// For an owner that learns of the loss in another way.
    mutating func fail(_ error: LineError) {
        lastError = error
        _ = perform(hold.handle(.failed(error.message), at: clock.now), check: { (_) throws(LineError) in })
    }

    func status(isActive: Bool?) -> LineStatus {
        LineStatus(
            role: role, line: name, isHeld: isHeld, isActive: isHeld ? isActive : nil, problem: hold.problem)
    }

    private var unopened: LineError {
        LineError(
            role: role, kind: .notFound, message: "\(name) (\(role.settingsKey)) isn't open: the station is not running"
        )
    }

    private mutating func handle(_ event: LineHold.Event, check: Use<Void>) -> Change {
        perform(hold.handle(event, at: clock.now), check: check)
    }

    private mutating func perform(_ first: [LineHold.Action], check: Use<Void>) -> Change {
        var change = Change.none
        var actions = first[...]
        while let action = actions.popFirst() {
            switch action {
            case .open:
                do throws(LineError) {
                    line = try open()
                    lastError = nil
                    change = .held
                    actions += hold.handle(.opened, at: clock.now)
                } catch {
                    lastError = error
                    change = .lost(error)
                    actions += hold.handle(.failed(error.message), at: clock.now)
                }
            case .check:
                guard let line else { continue }
                do throws(LineError) {
                    try check(line)
                } catch {
                    lastError = error
                    change = .lost(error)
                    actions += hold.handle(.failed(error.message), at: clock.now)
                }
            case .discard, .giveBack:
                if let line { close(line) }
                line = nil
            case .lost(let message):
                notices.post(.lost(role, message: message))
            case .recovered:
                notices.post(.recovered(role))
            }
        }
        return change
    }
}

extension HeldLine where Line == any OutputLine {
    init(
        _ settings: LineSettings, role: LineRole, lines: any LineProvider, clock: any PeripheralClock,
        notices: PeripheralNotices
    ) {
        self.init(
            role: role, name: settings.line, clock: clock, notices: notices,
            open: { () throws(LineError) in try lines.openOutput(settings, role: role) }, close: { $0.close() })
    }
}
