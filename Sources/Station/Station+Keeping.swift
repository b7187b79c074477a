import Delivery
import Journal
import Logging
import Wire

/// Between the scan loop and the outputs: the journal. A scan is told, and beeps, once it is kept.
extension Station {
    /// Hands accepted scans to the journal. What doesn't fit any more is as lost as if the disk were full.
    func keep(_ scans: [Event]) {
        guard parts.keeper.submit(scans) else {
            let detail = "\(ScanKeeper.defaultLimit) scans wait for the disk already: it doesn't keep up"
            return lost(scans, JournalError(.full, detail))
        }
        scansBeingKept += scans.count
    }

    /// For events that follow from accepted scans: they are told behind them, whenever those are kept.
    func publishInOrder(after accepted: [Event], _ body: Event.Body) {
        guard accepted.isEmpty, scansBeingKept == 0 else {
            return heldBack.append(Event(stamp: clock.stamp(station: name), body: body))
        }
        publish(body)
    }

    func handle(_ outcome: ScanKeeper.Outcome) {
        duties.commits += 1
        switch outcome {
        case .kept(let scans):
            scansBeingKept -= scans.count
            for event in scans {
                guard case .scan(let scan) = event.body else { continue }
                counters.scans += 1
                latest.append(scan)
                publish(event)
                expectAnswer(to: scan)
            }
            parts.feedback.play(.kept)
        case .lost(let scans, let error):
            scansBeingKept -= scans.count
            lost(scans, error)
        }
        guard scansBeingKept == 0 else { return }
        for event in heldBack { publish(event) }
        heldBack = []
    }

    private func lost(_ scans: [Event], _ error: JournalError) {
        counters.notKept += UInt64(scans.count)
        parts.feedback.play(.cannotKeep)
        let what = scans.count == 1 ? "a scan" : "\(scans.count) scans"
        let text = "\(what) couldn't be kept and \(scans.count == 1 ? "is" : "are") not accepted: \(error.message)"
        log.write(.error, kind: "journal", text, at: clock.now)
        publish(.error(ErrorEvent(part: "journal", code: "cannotKeep", message: text)))
        for event in heldBack { publish(event) }
        heldBack = []
        // Nothing that is in view now was kept: it is to be read again once there is room.
        feed(.journalLost, at: clock.now)
        if isKeeping { feed(.journalBack, at: clock.now) }
    }

    // MARK: The journal's state

    func handle(_ line: JournalLogLine) {
        log.write(line.level.logger, kind: "journal", line.text, at: clock.now)
    }

    /// Opens the journal and lets the outputs begin where they were.
    func openJournal() async {
        await parts.journal.open()
        let report = await parts.journal.report()
        if let setAside = report.setAside {
            tellJournal(
                "damaged",
                "the journal was damaged and was set aside as \(setAside); this run began a new one (\(report.id))")
        }
        // Memory was asked for; a disk that is none wasn't.
        if let warning = report.warning, settings.journal.storage == .disk { tellJournal("volatile", warning) }
    }

    private func tellJournal(_ code: String, _ text: String) {
        log.write(.warning, kind: "journal", text, at: clock.now)
        publish(.error(ErrorEvent(part: "journal", code: code, message: text)))
    }

    func handle(_ state: JournalState) {
        let old = journalState
        journalState = state
        guard state != old, !isStopping else { return }
        publish(.state(StateEvent(part: "journal", state: state.name, detail: state.detail)))
        if state.isAccepting != old.isAccepting { keeping(isPossible: state.isAccepting) }
        switch state {
        case .full(let detail), .unavailable(let detail):
            keepingIsDecided()
            if old.isAccepting || old == .closed { parts.feedback.play(.cannotKeep) }
            log.write(.error, kind: "journal", "no scan can be kept: \(detail)", at: clock.now)
        case .storageSlow(let detail): log.write(.warning, kind: "journal", detail, at: clock.now)
        case .ready where old != .closed: log.write(.notice, kind: "journal", "scans are kept again", at: clock.now)
        case .ready, .closed: break
        }
    }

    private func keeping(isPossible: Bool) {
        guard isPossible else {
            isKeeping = false
            keepingIsDecided()
            showReadiness()
            return feed(.journalLost, at: clock.now)
        }
        parts.dispatcher.journalOpened()
        // A scan that is kept before the journal knows the outputs might not wait for a new one of them.
        Task { [weak self, parts] in
            await parts.dispatcher.untilRegistered()
            await self?.beginKeeping(in: parts.journal.report())
        }
    }

    private func beginKeeping(in journal: JournalReport) {
        guard journalState.isAccepting, !isStopping else { return }
        follow(journal)
        isKeeping = true
        feed(.journalBack, at: clock.now)
        showReadiness()
        keepingIsDecided()
    }

    /// Tells whoever counts scans by the journal's id that it is another one now.
    private func follow(_ journal: JournalReport) {
        let old = journalID
        journalID = journal.id
        guard !old.isEmpty, old != journal.id else { return }
        let text =
            "the journal \(old) was lost while it was in use, and \(journal.id) takes its place"
            + (journal.setAside.map { "; what was there is set aside as \($0)" } ?? "")
            + ". It goes on with the same numbers; the log says what was carried over"
        publish(.error(ErrorEvent(part: "journal", code: "replaced", message: text)))
        publish(
            .state(
                StateEvent(
                    part: "journal", state: journalState.name, detail: journalState.detail,
                    fields: [
                        "journal": .string(journal.id), "first": .integer(Int64(clamping: journal.first)),
                        "last": .integer(Int64(clamping: journal.last)),
                    ])))
    }

    func untilKeepingIsDecided() async {
        guard !isKeeping, journalState == .closed || journalState.isAccepting, !isStopping else { return }
        await withCheckedContinuation { keepingWaiters.append($0) }
    }

    func keepingIsDecided() {
        for waiter in keepingWaiters { waiter.resume() }
        keepingWaiters = []
    }

    /// A person who asks for a scan that couldn't be kept hears so at once.
    func complainIfNotKeeping() {
        guard !journalState.isAccepting, journalState != .closed else { return }
        parts.feedback.play(.cannotKeep)
    }
}
