import Testing

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

/// Watches a scan machine from outside and checks the promises of its interface, with its own bookkeeping.
struct ScanMachineChecker {
    private(set) var trigger: TriggerSettings
    let policy: ConfirmationSettings.Policy

    private var openSession: (id: UInt64, edge: Instant)?
    private var lastID: UInt64 = 0
    private(set) var sessionCount = 0
    private var untoldNoRead: NoReadReason?
    private var inView: [UInt64: SightingIdentity] = [:]
    private var acceptedInSession: Set<SightingIdentity> = []
    private var isWaiting = false
    private var justConfirmed = false
    private var lastAccept: Instant?
    private(set) var acceptCount = 0
    private(set) var waitCount = 0
    private(set) var appearanceCount = 0
    private var isReading = false
    private var lookers: Set<ScanMachine.Looker> = []
    private(set) var lookCount = 0
    private var isJournalLost = false
    private var camera = CameraDemand.stop
    private(set) var wakeAt: Instant?

    /// By code, since it was first shown: the run of frames that miss it, and whether one was long enough since its last read.
    private var absence: [Code: Absence] = [:]
    private var newestSequence: UInt64 = 0

    private struct Code: Hashable {
        let symbology: Symbology
        let bytes: [UInt8]

        init(_ symbol: Symbol) { (symbology, bytes) = (symbol.symbology, symbol.bytes) }
    }

    private struct Absence {
        var missingSince: Instant?
        var wasOutOfView = true
    }

    init(trigger: TriggerSettings, policy: ConfirmationSettings.Policy) {
        self.trigger = trigger
        self.policy = policy
    }

    /// Before the machine gets a frame: what the frame proves about codes that were accepted.
    mutating func watch(_ result: ReadResult, isScanning: Bool) {
        guard isScanning, result.outcome != .crashed, result.outcome != .timedOut else { return }
        guard result.frame.sequence > newestSequence else { return }
        newestSequence = result.frame.sequence
        let shown = Set(result.symbols.map(Code.init))
        for code in shown where absence[code] == nil { absence[code] = Absence() }
        for (code, old) in absence {
            var new = old
            if shown.contains(code) || (result.outcome == .unchanged && old.missingSince == nil) {
                new.missingSince = nil
            } else {
                let since = old.missingSince ?? result.frame.exposedAt
                new.missingSince = since
                if since.duration(to: result.frame.exposedAt) >= trigger.sameSymbolTimeout { new.wasOutOfView = true }
            }
            absence[code] = new
        }
    }

    /// - Parameters:
    ///   - instant: of the event that the actions answer.
    ///   - now: the time that the machine's time-outs go by.
    mutating func check(_ actions: [ScanMachine.Action], event: ScanMachine.Event, at instant: Instant, now: Instant) {
        for action in actions {
            let wasConfirmed = justConfirmed
            justConfirmed = false
            switch action {
            case .startSession(let id, let mode):
                #expect(openSession == nil, "two sessions are open")
                #expect(id == lastID + 1 && mode == trigger.mode && mode.isTriggered)
                openSession = (id, instant)
                lastID = id
                sessionCount += 1
            case .endSession(let id, let outcome):
                #expect(openSession?.id == id, "a session ended that wasn't open")
                if case .noRead(let reason) = outcome { #expect(untoldNoRead == reason || !trigger.reportsNoRead) }
                if case .scanned(let count) = outcome { #expect((1...max(1, trigger.maxScans)).contains(count)) }
                untoldNoRead = nil
                openSession = nil
                acceptedInSession = []
            case .noRead(let noRead):
                #expect(trigger.reportsNoRead && noRead.duration >= .zero)
                if noRead.session != 0 {
                    #expect(noRead.session == openSession?.id)
                    untoldNoRead = noRead.reason
                }
            case .accept(let sighting): check(sighting, wasConfirmed, now)
            case .awaitConfirmation(let symbol):
                #expect(!isWaiting, "two reads wait")
                isWaiting = true
                waitCount += 1
                wasRead(symbol)
            case .confirmationEnded(let end):
                #expect(isWaiting)
                isWaiting = false
                justConfirmed = end == .confirmed
            case .sightingAppeared(let sighting):
                #expect(inView.updateValue(sighting.identity, forKey: sighting.id) == nil)
                #expect(inView.count <= 8, "more sightings than the limit")
                appearanceCount += 1
            case .sightingDisappeared(let sighting): #expect(inView.removeValue(forKey: sighting.id) != nil)
            case .reading(let isOn, _):
                isReading = isOn
            case .camera(let demand): camera = demand
            case .pending: break
            case .wakeAt(let instant): wakeAt = instant
            }
        }
        if case .settings(let settings) = event { trigger = settings }
        if isReading { #expect(camera == .run, "frames are read from a camera that doesn't run") }
        if case .look(let looker, let isOn) = event {
            if isOn { lookers.insert(looker) } else { lookers.remove(looker) }
        }
        if isReading && trigger.mode.isTriggered {
            #expect(openSession != nil || !lookers.isEmpty, "frames are read outside a session, for nobody")
            if openSession == nil { lookCount += 1 }
        }
        if case .journalLost = event {
            isJournalLost = true
            // What is in view may not have been kept: it is new afterwards.
            for code in absence.keys { absence[code]?.wasOutOfView = true }
        }
        if case .journalBack = event { isJournalLost = false }
        if isJournalLost { #expect(!isReading, "frames are read that nothing can come of") }
        if camera == .run, !isJournalLost {
            #expect(isReading || lookers.isEmpty, "somebody looks, and nothing is read")
        }
        if case .tick = event, let wakeAt { #expect(wakeAt > now, "a tick left a time-out that had passed") }
    }

    private mutating func check(_ sighting: AcceptedSighting, _ wasConfirmed: Bool, _ now: Instant) {
        acceptCount += 1
        #expect(!isJournalLost, "a scan that can't be kept")
        #expect(!sighting.symbol.bytes.isEmpty)
        #expect(sighting.session == openSession?.id ?? 0, "a scan outside its session")
        #expect(trigger.mode.isTriggered == (openSession != nil), "a scan outside a session")
        if let openSession {
            #expect(sighting.frame.exposedAt >= openSession.edge, "a scan from before its trigger")
            if let identity = inView[sighting.sighting] {
                #expect(acceptedInSession.insert(identity).inserted, "a code twice in a session")
            }
        }
        if policy == .always { #expect(wasConfirmed) }
        if policy == .alphanumeric { #expect(wasConfirmed == !sighting.symbol.symbology.isNumericOnly) }
        if policy == .never {
            #expect(!wasConfirmed)
            if let lastAccept { #expect(lastAccept.duration(to: now) >= trigger.gap) }
        }
        lastAccept = now
        if !wasConfirmed { wasRead(sighting.symbol) }
    }

    /// A read became a scan or waits for its confirmation. The next one of the same code needs an absence in between.
    private mutating func wasRead(_ symbol: Symbol) {
        guard trigger.mode == .presentation else { return }
        let code = Code(symbol)
        #expect(absence[code]?.wasOutOfView == true, "a code was read again that never left")
        absence[code]?.wasOutOfView = false
    }

    /// After `stop`: nothing is left open.
    func checkEnd() {
        #expect(openSession == nil && inView.isEmpty && !isWaiting && !isReading)
        #expect(camera == .stop && wakeAt == nil)
    }
}
