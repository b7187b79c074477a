import Vocabulary

/// When to spend idle time on the ladder, and where in it: the still reader's passes, one after the other on the newest frame, in a process
/// that no fresh frame waits for.
///
/// A picture that holds gets the whole ladder once; while a session waits, again and again. As soon as the picture moves, there are rounds: a few looks and
/// passes each, because what an old frame showed is soon worth nothing. A picture that has held throughout a round gets the ladder.
struct LadderPlan: Sendable {
    typealias WorkerID = ReaderMachine.WorkerID

    /// A pass that ends its process is likely to do so again, so the ladder rests, longer each time.
    static let firstRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(120)

    /// The process in the ladder; another one would have to start from the beginning.
    private(set) var worker: WorkerID?
    private var round: UInt16 = 0
    private var passes = 0
    /// The picture that the round began with.
    private var picture: UInt64?
    private var isOver = false
    private var losses = 0
    private var restsUntil: Instant?
    /// The machine is warm.
    private var coolsUntil: Instant?

    /// What to ask for on a frame of this picture; `nil`: nothing now.
    /// - Parameter repeats: whether to go through a picture that held once more.
    func order(for picture: UInt64, worker: WorkerID, repeats: Bool, at now: Instant) -> ReadEffort.LadderOrder? {
        if let restsUntil, now < restsUntil { return nil }
        if let coolsUntil, now < coolsUntil { return nil }
        let holds = picture == self.picture
        let hasRoom = round == 0 || passes < ReadEffort.LadderOrder.movingRound
        if !isOver, self.picture != nil, worker == self.worker, hasRoom, round > 0 || holds {
            return .init(round: round, begins: false)
        }
        if holds, isOver, !repeats { return nil }
        let isMoving = !holds && !isOver && self.picture != nil
        return .init(round: isMoving ? max(1, round &+ 1) : 0, begins: true)
    }

    mutating func begin(_ order: ReadEffort.LadderOrder, of picture: UInt64, worker: WorkerID) {
        self.worker = worker
        passes += 1
        guard order.begins else { return }
        round = order.round
        self.picture = picture
        passes = 1
        isOver = false
    }

    /// - Returns: whether the ladder has reached its end over one picture.
    mutating func end(isLadderOver: Bool, picture: UInt64) -> Bool {
        guard isLadderOver else { return false }
        // Not earlier: the pass that ends its process comes after many that don't.
        losses = 0
        isOver = true
        return picture == self.picture
    }

    /// After a pass that took so long, so that passes take this share of the time: more than 0, up to 1.
    mutating func cool(after time: Duration, share: Double, at now: Instant) {
        coolsUntil = share < 1 ? now.advanced(by: time * (1 / share - 1)) : nil
    }

    /// Its process is gone.
    mutating func lose(at now: Instant) {
        worker = nil
        picture = nil
        isOver = false
        losses += 1
        restsUntil = now.advanced(
            by: Backoff.wait(afterFailures: losses, first: Self.firstRest, longest: Self.longestRest))
    }

    /// Begins again, even on the same picture: after a pause, or when the rules have changed.
    mutating func forget() {
        picture = nil
        isOver = false
    }
}
