import Delivery
import Journal
import Logging
import Wire

/// The journal, between the scan loop and the outputs. A scan is announced, and beeps, once it is kept. `KeepingMachine` decides.
extension Station {
    /// Hands accepted scans to the journal. What doesn't fit is lost, as if the disk were full.
    func keep(_ scans: [Event]) {
        guard !parts.keeper.submit(scans) else { return }
        let detail = "\(ScanKeeper.limit) scans are waiting for the disk already: it doesn't keep up"
        lost(scans, JournalError(.full, detail))
        tell(keeping: .turnedAway(scans.count))
    }

    func handle(_ outcome: ScanKeeper.Outcome) {
        health.commitCameBack()
        switch outcome {
        case .kept(let scans):
            for event in scans {
                guard case .scan(let scan) = event.body else { continue }
                counters.scans += 1
                publish(event)
                expectAnswer(to: scan)
            }
            parts.feedback.play(.kept)
            tell(keeping: .kept(scans.count))
        case .lost(let scans, let error):
            lost(scans, error)
            tell(keeping: .lost(scans.count))
        }
    }

    private func lost(_ scans: [Event], _ error: JournalError) {
        counters.notKept += UInt64(scans.count)
        let what = scans.count == 1 ? "a scan" : "\(scans.count) scans"
        let text = "\(what) couldn't be kept and \(scans.count == 1 ? "is" : "are") not accepted: \(error.message)"
        complain("journal", "cannotKeep", text)
    }

    // MARK: The machine

    /// - Parameter report: the report of the journal that begins to keep scans.
    func tell(keeping event: Keeping.Event, of report: JournalReport? = nil) {
        for action in keeping.handle(event) { perform(action, report) }
    }

    private func perform(_ action: Keeping.Action, _ report: JournalReport?) {
        switch action {
        case .register:
            parts.dispatcher.journalOpened()
            Task { [weak self, parts] in
                await parts.dispatcher.untilRegistered()
                let report = await parts.journal.report()
                await self?.tell(keeping: .registered(journal: report.id), of: report)
            }
        case .replaced(let old): if let report { tellReplaced(old, by: report) }
        case .keeping(true):
            feed(.journalBack)
            tell(readiness: .keeping(true))
        case .keeping(false):
            tell(readiness: .keeping(false))
            feed(.journalLost)
        case .readAgain:
            feed(.journalLost)
            feed(.journalBack)
        case .cannotKeep: parts.feedback.play(.cannotKeep)
        case .tell(let event): publish(event)
        case .resume(let waiter): waiter.resume()
        }
    }

    /// Returns when scans are kept, can't be kept, or the station stops.
    func untilKeepingIsDecided() async {
        await withCheckedContinuation { tell(keeping: .wait($0)) }
    }

    // MARK: The journal's state

    func handle(_ line: JournalLogLine) {
        note(line.level.logger, kind: "journal", line.text)
    }

    /// Opens the journal and lets the outputs go on where they were.
    func openJournal() async {
        await parts.journal.open()
        let report = await parts.journal.report()
        if let setAside = report.setAside {
            tellJournal(
                "damaged",
                "the journal was damaged and was set aside as \(setAside); this run began a new one (\(report.id))")
        }
        // Memory was asked for, unlike a disk that forgets.
        if let warning = report.warning, settings.journal.storage == .disk { tellJournal("volatile", warning) }
    }

    private func tellJournal(_ code: String, _ text: String) {
        complain("journal", code, text, .warning)
    }

    func handle(_ state: JournalState) {
        guard let old = health.journalBecame(state), !isStopping else { return }
        publish(state: state.name, of: "journal", detail: state.detail)
        tell(keeping: .journal(state.forKeeping))
        switch state {
        case .full(let detail), .unavailable(let detail):
            note(.error, kind: "journal", "no scan can be kept: \(detail)")
        case .storageSlow(let detail): note(.warning, kind: "journal", detail)
        case .ready where old != .closed: note(.notice, kind: "journal", "scans are kept again")
        case .ready, .closed: break
        }
    }

    /// Clients that count scans by the journal's id hear that it is another journal now.
    private func tellReplaced(_ old: String, by journal: JournalReport) {
        let text =
            "the journal \(old) was lost while it was in use, and \(journal.id) takes its place"
            + (journal.setAside.map { "; what was there is set aside as \($0)" } ?? "")
            + ". It goes on with the same numbers; the log says what was carried over"
        publish(.error(ErrorEvent(part: "journal", code: "replaced", message: text)))
        publish(
            state: health.journal.name, of: "journal", detail: health.journal.detail,
            fields: [
                "journal": .string(journal.id), "first": .count(journal.first), "last": .count(journal.last),
            ])
    }
}

extension JournalState {
    fileprivate var forKeeping: Station.Keeping.Journal {
        switch self {
        case .closed: .unopened
        case .ready, .storageSlow: .accepting
        case .full, .unavailable: .refusing
        }
    }
}
