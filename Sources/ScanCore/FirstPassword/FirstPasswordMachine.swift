import Settings
import Vocabulary

/// Decides which browser may set the console's first password: the one whose code was shown to the camera between two presses of the
/// trigger button.
///
///          asked                pressed             5 s, nothing read            its code is read
///     none ─────▶ asked (60 s) ─────────▶ holding ──────────────────▶ armed ──────────────────────▶ read (30 s)
///                   ▲  ▲    released, or    │       pressed, or what was    │                          │ pressed
///                   │  └────────────────────┘       there before is read    │                          ▼
///                   └───────────────────────────────────────────────────────┘                        open (5 min) ── used ──▶ none
///
/// It fails closed. From every state a second browser's asking voids both; so does another such code in view once the button was held, a
/// setting that bars it, and time. A frame counts only if it was exposed after what it answers. Nothing outlives the process: after a start,
/// nobody has asked.
///
/// What each rule is for is in docs/threat-model.md.
package struct FirstPasswordMachine: Sendable {
    package struct Limits: Hashable, Sendable {
        package var hold: Duration = .seconds(5)
        /// From asking until the code is read.
        package var ask: Duration = .seconds(60)
        /// From then until the second press.
        package var press: Duration = .seconds(30)
        /// From then until the password is set.
        package var open: Duration = .seconds(300)
        /// Codes whose end is remembered, so that their browsers hear of it.
        package var remembered = 8

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        /// A browser asks. `replacing`: the code that the same browser has had.
        case asked(FirstPasswordCode, replacing: FirstPasswordCode?)
        /// A browser gives up.
        case withdrawn(FirstPasswordCode)
        /// The password is being set by the browser with this code: only once.
        case used(FirstPasswordCode)
        /// The trigger button. The instant is the edge's.
        case pressed, released
        /// What a frame shows: such codes, and whether there are others.
        case read([FirstPasswordCode], others: Bool, exposedAt: Instant)
        /// Whether the settings forbid it.
        case barred(Bool)
        case tick
    }

    package enum Action: Hashable, Sendable {
        /// This edge isn't the trigger's.
        case edgeIsTaken
        /// Whether frames must be read, whatever the trigger's mode.
        case look(Bool)
        case cue(FeedbackCue)
        case told(News)
        /// Set the one timer to send `tick` then.
        case wakeAt(Instant?)
    }

    package enum News: Hashable, Sendable {
        case asked
        /// The button was held: the code may be shown.
        case held
        /// It was held, but something was read meanwhile, so it doesn't count.
        case heldInVain
        case read
        case opened
        case ended(End)
    }

    package enum End: String, CaseIterable, Hashable, Sendable {
        /// The password was set by it.
        case used
        case expired
        /// By the same browser's next code.
        case replaced
        case withdrawn
        /// Two browsers asked at once.
        case twoAsked
        /// Another such code was in view.
        case otherCode
        case barred
        /// The station doesn't know this code: it was started again, or it is too long ago.
        case unknown
    }

    /// What a browser hears of its code.
    package enum Stage: Hashable, Sendable {
        /// It isn't told that the button was held: it might wait for that moment to show a code.
        case waiting(until: Instant)
        case read(until: Instant)
        case open(until: Instant)
        case over(End)
    }

    private enum Phase: Hashable {
        case asked
        case holding(since: Instant, isSpoiled: Bool)
        case armed(pressedAt: Instant, since: Instant)
        case read(at: Instant, until: Instant)
        case open(until: Instant)
    }

    private struct Ask: Hashable {
        let code: FirstPasswordCode
        let since: Instant
        let until: Instant
        var phase = Phase.asked
    }

    private struct Demands: Hashable {
        var isLooking = false
        var wakeAt: Instant?
    }

    private let limits: Limits
    private var ask: Ask?
    private var isBarred = false
    /// The second press was taken, and its release isn't here yet.
    private var isPressTaken = false
    private var ended: [(code: FirstPasswordCode, end: End)] = []
    private var now = Instant(nanoseconds: .min)
    private var told = Demands()

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// A person is at it: other signals would only confuse.
    package var isUnderWay: Bool {
        switch ask?.phase {
        case .holding, .armed, .read: true
        case .asked, .open, nil: false
        }
    }

    package func stage(of code: FirstPasswordCode) -> Stage {
        guard let ask, ask.code == code else { return .over(ended.last { $0.code == code }?.end ?? .unknown) }
        return switch ask.phase {
        case .asked, .holding, .armed: .waiting(until: ask.until)
        case .read(_, let until): .read(until: until)
        case .open(let until): .open(until: until)
        }
    }

    package mutating func handle(_ event: Event, at instant: Instant) -> [Action] {
        now = max(now, instant)
        var actions: [Action] = []
        expire(&actions)
        switch event {
        case .asked(let code, let old): begin(code, replacing: old, &actions)
        case .withdrawn(let code): if ask?.code == code { end(.withdrawn, &actions) }
        case .used(let code):
            if ask?.code == code, case .open = ask?.phase { end(.used, &actions) }
        case .pressed: press(at: instant, &actions)
        case .released: release(&actions)
        case .read(let codes, let others, let exposedAt): look(codes, others, exposedAt, &actions)
        case .barred(let isBarred):
            self.isBarred = isBarred
            if isBarred { end(.barred, &actions) }
        case .tick: break
        }
        settle(&actions)
        return actions
    }

    // MARK: Asking

    private mutating func begin(_ code: FirstPasswordCode, replacing old: FirstPasswordCode?, _ actions: inout [Action])
    {
        guard !isBarred else { return remember(code, .barred) }
        if let open = ask {
            guard let old, open.code == old else {
                remember(code, .twoAsked)
                return end(.twoAsked, &actions)
            }
            end(.replaced, &actions)
        }
        // A code that was shown before isn't asked for a second time.
        guard !ended.contains(where: { $0.code == code }) else { return }
        ask = Ask(code: code, since: now, until: now.advanced(by: limits.ask))
        actions.append(.told(.asked))
    }

    private mutating func end(_ end: End, _ actions: inout [Action]) {
        guard let ask else { return }
        remember(ask.code, end)
        let wasUnderWay = isUnderWay
        self.ask = nil
        let isBad = end != .used && end != .replaced && end != .withdrawn
        if isBad, wasUnderWay { actions.append(.cue(.refused)) }
        actions.append(.told(.ended(end)))
    }

    private mutating func remember(_ code: FirstPasswordCode, _ end: End) {
        ended.append((code, end))
        if ended.count > limits.remembered { ended.removeFirst() }
    }

    // MARK: Button

    private mutating func press(at edge: Instant, _ actions: inout [Action]) {
        guard let ask else { return }
        switch ask.phase {
        case .asked, .holding, .armed:
            // Only a press that follows the asking, whenever it is reported.
            if edge >= ask.since { self.ask?.phase = .holding(since: edge, isSpoiled: false) }
        case .read(let readAt, _):
            isPressTaken = true
            actions.append(.edgeIsTaken)
            guard edge > readAt else { return }
            self.ask?.phase = .open(until: now.advanced(by: limits.open))
            actions += [.cue(.passwordOpen), .told(.opened)]
        case .open: break
        }
    }

    private mutating func release(_ actions: inout [Action]) {
        if isPressTaken {
            isPressTaken = false
            actions.append(.edgeIsTaken)
        }
        if case .holding = ask?.phase { ask?.phase = .asked }
    }

    // MARK: Frames

    private mutating func look(
        _ codes: [FirstPasswordCode], _ others: Bool, _ exposedAt: Instant, _ actions: inout [Action]
    ) {
        guard let ask, !codes.isEmpty || others else { return }
        switch ask.phase {
        case .asked, .open: break
        case .holding(let since, _):
            if exposedAt >= since { self.ask?.phase = .holding(since: since, isSpoiled: true) }
        case .armed(let pressedAt, let since):
            guard exposedAt >= since else {
                // The result came late: this was in view while the button was held.
                if exposedAt >= pressedAt { holdAgain(&actions) }
                return
            }
            guard !codes.isEmpty else { return }
            guard codes.allSatisfy({ $0 == ask.code }) else { return end(.otherCode, &actions) }
            self.ask?.phase = .read(at: now, until: now.advanced(by: limits.press))
            actions += [.cue(.pressAgain), .told(.read)]
        case .read:
            if codes.contains(where: { $0 != ask.code }) { end(.otherCode, &actions) }
        }
    }

    private mutating func holdAgain(_ actions: inout [Action]) {
        ask?.phase = .asked
        actions += [.cue(.refused), .told(.heldInVain)]
    }

    // MARK: Time

    private mutating func expire(_ actions: inout [Action]) {
        guard let ask else { return }
        if case .holding(let since, let isSpoiled) = ask.phase {
            let heldAt = since.advanced(by: limits.hold)
            if now >= heldAt, heldAt < ask.until {
                if isSpoiled {
                    holdAgain(&actions)
                } else {
                    self.ask?.phase = .armed(pressedAt: since, since: heldAt)
                    actions += [.cue(.showCode), .told(.held)]
                }
            }
        }
        if let deadline, now >= deadline { end(.expired, &actions) }
    }

    private var deadline: Instant? {
        switch ask?.phase {
        case .asked, .holding, .armed: ask?.until
        case .read(_, let until), .open(let until): until
        case nil: nil
        }
    }

    private mutating func settle(_ actions: inout [Action]) {
        var new = Demands(wakeAt: deadline)
        switch ask?.phase {
        case .holding(let since, _):
            new.isLooking = true
            new.wakeAt = min(since.advanced(by: limits.hold), deadline ?? since)
        case .armed: new.isLooking = true
        default: break
        }
        if new.isLooking != told.isLooking { actions.append(.look(new.isLooking)) }
        if new.wakeAt != told.wakeAt { actions.append(.wakeAt(new.wakeAt)) }
        told = new
    }
}
