import Delivery
import Journal
import Logging
import ScanCore
import Vocabulary
import Wire

/// The journal, between the scan loop and the outputs. A scan is announced, and beeps, once it is kept. `KeepingMachine` decides.
///
/// Belongs to the station's actor.
final class KeepingDesk {
    /// Callers that wait to hear whether scans can be kept, and events that are announced after scans.
    typealias Machine = KeepingMachine<CheckedContinuation<Void, Never>, Event>

    private var machine = Machine()
    private let parts: StationParts
    private let voice: StationVoice
    private let health: StationHealth
    private let host: HostDesk
    /// What became of scans, for the station's counters.
    private(set) var scans: UInt64 = 0
    private(set) var notKept: UInt64 = 0

    init(_ parts: StationParts, voice: StationVoice, health: StationHealth, host: HostDesk) {
        (self.parts, self.voice, self.health, self.host) = (parts, voice, health, host)
    }

    var isKeeping: Bool { machine.isKeeping }
    var isRefusing: Bool { machine.isRefusing }
    var hasScansUnderWay: Bool { machine.hasScansUnderWay }

    /// Hands accepted scans to the journal. What doesn't fit is lost, as if the disk were full.
    func keep(_ scans: [Event], in station: isolated Station) {
        guard !parts.keeper.submit(scans) else { return }
        let detail = "\(ScanKeeper.limit) scans are waiting for the disk already: it doesn't keep up"
        lost(scans, JournalError(.full, detail))
        tell(.turnedAway(scans.count), in: station)
    }

    func handle(_ outcome: ScanKeeper.Outcome, in station: isolated Station) {
        health.commitCameBack()
        switch outcome {
        case .kept(let scans):
            for event in scans {
                guard case .scan(let scan) = event.body else { continue }
                self.scans += 1
                voice.publish(event)
                host.expectAnswer(to: scan, in: station)
            }
            parts.feedback.play(.kept)
            tell(.kept(scans.count), in: station)
        case .lost(let scans, let error):
            lost(scans, error)
            tell(.lost(scans.count), in: station)
        }
    }

    private func lost(_ scans: [Event], _ error: JournalError) {
        notKept += UInt64(scans.count)
        let what = scans.count == 1 ? "a scan" : "\(scans.count) scans"
        let text = "\(what) couldn't be kept and \(scans.count == 1 ? "is" : "are") not accepted: \(error.message)"
        voice.complain("journal", "cannotKeep", text)
    }

    // MARK: The machine

    /// - Parameter report: the report of the journal that begins to keep scans.
    func tell(_ event: Machine.Event, of report: JournalReport? = nil, in station: isolated Station) {
        for action in machine.handle(event) { perform(action, report, in: station) }
    }

    private func perform(_ action: Machine.Action, _ report: JournalReport?, in station: isolated Station) {
        switch action {
        case .register:
            parts.dispatcher.journalOpened()
            Task { [weak station, parts] in
                await parts.dispatcher.untilRegistered()
                let report = await parts.journal.report()
                await station?.run { $0.keeping.tell(.registered(journal: report.id), of: report, in: $0) }
            }
        case .replaced(let old): if let report { tellReplaced(old, by: report) }
        case .keeping(true):
            station.feed(.journalBack)
            station.tell(readiness: .keeping(true))
        case .keeping(false):
            station.tell(readiness: .keeping(false))
            station.feed(.journalLost)
        case .readAgain:
            station.feed(.journalLost)
            station.feed(.journalBack)
        case .cannotKeep: parts.feedback.play(.cannotKeep)
        case .tell(let event): voice.publish(event)
        case .resume(let waiter): waiter.resume()
        }
    }

    /// Returns when scans are kept, can't be kept, or the station stops.
    func untilDecided(in station: isolated Station) async {
        await withCheckedContinuation { tell(.wait($0), in: station) }
    }

    // MARK: The journal's state

    /// Opens the journal and lets the outputs go on where they were.
    func openJournal(in station: isolated Station) async {
        await parts.journal.open()
        let report = await parts.journal.report()
        if let setAside = report.setAside {
            tellJournal(
                "damaged",
                "the journal was damaged and was set aside as \(setAside); this run began a new one (\(report.id))")
        }
        // Memory was asked for, unlike a disk that forgets.
        if let warning = report.warning, station.settings.journal.storage == .disk { tellJournal("volatile", warning) }
    }

    private func tellJournal(_ code: String, _ text: String) {
        voice.complain("journal", code, text, .warning)
    }

    func handle(_ state: JournalState, in station: isolated Station) {
        guard let old = health.journalBecame(state), !station.isStopping else { return }
        voice.publish(state: state.name, of: "journal", detail: state.detail)
        tell(.journal(state.forKeeping), in: station)
        switch state {
        case .full(let detail), .unavailable(let detail):
            voice.note(.error, kind: "journal", "no scan can be kept: \(detail)")
        case .storageSlow(let detail): voice.note(.warning, kind: "journal", detail)
        case .ready where old != .closed: voice.note(.notice, kind: "journal", "scans are kept again")
        case .ready, .closed: break
        }
    }

    /// Clients that count scans by the journal's id hear that it is another journal now.
    private func tellReplaced(_ old: String, by journal: JournalReport) {
        let text =
            "the journal \(old) was lost while it was in use, and \(journal.id) takes its place"
            + (journal.setAside.map { "; what was there is set aside as \($0)" } ?? "")
            + ". It goes on with the same numbers; the log says what was carried over"
        voice.publish(.error(ErrorEvent(part: "journal", code: "replaced", message: text)))
        voice.publish(
            state: health.journal.name, of: "journal", detail: health.journal.detail,
            fields: [
                "journal": .string(journal.id), "first": .count(journal.first), "last": .count(journal.last),
            ])
    }
}

extension JournalState {
    fileprivate var forKeeping: KeepingDesk.Machine.Journal {
        switch self {
        case .closed: .unopened
        case .ready, .storageSlow: .accepting
        case .full, .unavailable: .refusing
        }
    }
}
