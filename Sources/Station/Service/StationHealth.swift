import Capture
import Control
import Journal
import Logging
import Peripherals
import Reading
import ScanCore
import Vocabulary
import Wire

/// How the station is doing: the computer's troubles, what is in the way of scans, and whether the parts do their work. What the parts say
/// of themselves comes in here: it is reported, logged and remembered, and decides about no scan.
///
/// Belongs to the station's actor.
final class StationHealth {
    let startedAt: Instant
    /// As last reported.
    private(set) var journal = JournalState.closed
    /// As it was reported last.
    private(set) var torch = TorchStatus.none
    /// How often the torch went on, for the station's counters.
    private(set) var timesTorchOn: UInt64 = 0
    /// Why frames can't be read; `nil` when they can.
    private(set) var readerProblem: String?
    /// The machine's own health, as it was looked at last.
    private(set) var machine = PressureReading()
    private var pressure = PressureMachine()
    private var ladderShare = LadderShare()
    private var duties = StationDuties()
    /// Outputs whose trouble was logged, so that its end is logged too.
    private var troubledOutputs: Set<String> = []
    private var isClockSynced: Bool
    private let parts: StationParts
    private let workers: PartWorkers
    private let voice: StationVoice

    init(_ parts: StationParts, _ workers: PartWorkers, voice: StationVoice) {
        (self.parts, self.workers, self.voice) = (parts, workers, voice)
        startedAt = voice.clock.now
        isClockSynced = voice.clock.isSynced
    }

    /// Whether frames can be read and scans kept: a version that can't isn't one that has proved itself.
    var works: Bool { hasJournal && readerProblem == nil }

    private var hasJournal: Bool {
        switch journal {
        case .ready, .storageSlow, .full: true
        case .closed, .unavailable: false
        }
    }

    /// A result or another notice came out of the readers.
    func readersGaveSign() { duties.readerSigns += 1 }

    /// A commit came back, with whatever outcome.
    func commitCameBack() { duties.commits += 1 }

    /// - Returns: what the state was before; `nil`: the same.
    func journalBecame(_ state: JournalState) -> JournalState? {
        defer { journal = state }
        return state == journal ? nil : journal
    }

    // MARK: What the parts say

    func handle(_ status: TorchStatus) {
        if status.isActive, !torch.isActive { timesTorchOn += 1 }
        let isNews =
            status.isActive != torch.isActive || status.mode != torch.mode
            || status.isAvailable != torch.isAvailable
        torch = status
        if isNews { voice.publish(.state(status.event)) }
    }

    func handle(_ notice: PeripheralNotice, in station: isolated Station) {
        switch notice {
        case .lost(let role, let message):
            voice.note(.warning, kind: "line.\(role)", message)
            voice.publish(state: "lost", of: "line.\(role)", detail: message)
        case .recovered(let role):
            voice.note(.notice, kind: "line.\(role)", "the line is ours again")
            voice.publish(state: "held", of: "line.\(role)")
        case .missed(let count):
            voice.note(.warning, kind: "lines", "\(count) notices about lines were missed")
            Task { await tellLines(in: station) }
        }
    }

    /// Notices about lines were lost: each line's state is reported again.
    private func tellLines(in station: isolated Station) async {
        for status in await parts.lineStatuses() {
            voice.publish(state: status.isHeld ? "held" : "lost", of: "line.\(status.role)", detail: status.problem)
        }
    }

    func handle(_ notice: ReaderNotice) {
        readersGaveSign()
        voice.note(notice.level.log, kind: "reader", notice.message)
    }

    /// An output gave up a scan. Sockets and panel hear about it; the outputs don't need to.
    func handle(_ error: ErrorEvent) {
        voice.note(.error, kind: error.part, error.message)
        voice.publish(.error(error), toOutputs: false)
    }

    func handle(_ line: JournalLogLine) { voice.note(line.level.logger, kind: "journal", line.text) }

    func handle(_ line: CaptureLogLine) { voice.note(line.level.log, kind: "capture", line.text) }

    func handle(_ notice: ControlNotice) {
        let (level, text) = notice.logLine
        voice.note(level, kind: "control", text)
    }

    func handle(output state: StateEvent) {
        voice.publish(.state(state))
        switch OutputState(rawValue: state.state) {
        case .waiting, .stalled, .failed:
            troubledOutputs.insert(state.part)
            let text = state.state + (state.detail.map { ": \($0)" } ?? "")
            voice.note(.warning, kind: state.part, text)
        case .ready where troubledOutputs.remove(state.part) != nil:
            voice.note(.notice, kind: state.part, "works again")
        case .idle, .connecting, .ready, .stopped, nil: break
        }
    }

    func readersFailed(_ problem: String) {
        readerProblem = problem
        let text = "frames can't be read: \(problem)"
        voice.complain("reader", "cannotStart", text)
    }

    func handle(_ reading: PressureReading) {
        // When the clock is finally set, it is worth trying again: certificates are valid by it.
        let isSynced = voice.clock.isSynced
        if isSynced, !isClockSynced { parts.dispatcher.conditionsChanged() }
        isClockSynced = isSynced
        machine = reading
        if let share = ladderShare.handle(reading) { workers.reader.submit { await $0.setLadderShare(share) } }
        guard let change = pressure.handle(reading) else { return }
        voice.note(
            change == nil ? .notice : .warning, kind: "pressure",
            change.map { "system pressure: \($0.rawValue)" } ?? "system pressure is over")
        workers.camera.submit { await $0.systemPressure(change) }
        workers.reader.submit { await $0.setUnderPressure(change != nil) }
        workers.torch.submit { await $0.setSystemPressure(change != nil) }
    }

    // MARK: For the service manager

    /// What the watchdog expects of the parts.
    /// - Parameters:
    ///   - isCameraRunning: its state promises frames, and no call into it is under way.
    ///   - isKeeping: scans are on their way to the disk.
    ///   - isOnTrial: another version is ready to take over.
    func look(
        isCameraRunning: Bool, _ progress: CaptureProgress, _ readers: ReaderCounters, deadline: Duration,
        isKeeping: Bool, isOnTrial: Bool
    ) -> WatchdogLook {
        WatchdogLook(duties: [
            duties.camera(isRunning: isCameraRunning, progress),
            isOnTrial && readerProblem != nil ? duties.missingReaders() : duties.readers(readers, deadline: deadline),
            duties.journal(isWaiting: isKeeping),
        ])
    }

    /// One line for `systemctl status`: how the station is doing, and what is in the way.
    func statusLine(camera: CameraState, isPaused: Bool, scans: UInt64) -> String {
        var parts = [isPaused ? "paused" : "camera \(camera.name)", scans.counted("scan")]
        if let detail = isPaused ? nil : camera.detail { parts.append(detail) }
        if let readerProblem { parts.append("frames can't be read: \(readerProblem)") }
        switch journal {
        case .ready: break
        case .closed: parts.append("the journal isn't open yet")
        case .full, .unavailable, .storageSlow:
            parts.append("journal \(journal.name)\(journal.detail.map { ": \($0)" } ?? "")")
        }
        if !troubledOutputs.isEmpty { parts.append("in trouble: \(troubledOutputs.sorted().joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }
}
