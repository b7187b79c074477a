import Capture
import Journal
import Logging
import Peripherals
import Reading
import ScanCore
import Vocabulary
import Wire

/// How the station is doing: the computer's troubles, what is in the way of scans, and whether the parts do their work.
struct StationHealth {
    let startedAt: Instant
    /// As last reported.
    private(set) var journal = JournalState.closed
    /// As it was told last.
    var torch = TorchStatus.none
    /// Why frames can't be read; `nil` when they can.
    private(set) var readerProblem: String?
    private var pressure = PressureMachine()
    private var duties = StationDuties()
    /// Outputs whose trouble was logged, so that its end is logged too.
    private var troubledOutputs: Set<String> = []
    private var isClockSynced: Bool

    init(startedAt: Instant, isClockSynced: Bool) {
        self.startedAt = startedAt
        self.isClockSynced = isClockSynced
    }

    /// Whether the journal is open: a version that can't open it isn't one that has proved itself.
    var hasJournal: Bool {
        switch journal {
        case .ready, .storageSlow, .full: true
        case .closed, .unavailable: false
        }
    }

    /// A result or another notice came out of the readers.
    mutating func readersGaveSign() { duties.readerSigns += 1 }

    /// A commit came back, with whatever outcome.
    mutating func commitCameBack() { duties.commits += 1 }

    mutating func readersFailed(_ problem: String) { readerProblem = problem }

    /// - Returns: what the state was before; `nil`: the same.
    mutating func journalBecame(_ state: JournalState) -> JournalState? {
        defer { journal = state }
        return state == journal ? nil : journal
    }

    /// - Returns: whether it has just been set.
    mutating func clockIs(synced isSynced: Bool) -> Bool {
        defer { isClockSynced = isSynced }
        return isSynced && !isClockSynced
    }

    /// - Returns: the new pressure if it changed.
    mutating func handle(_ reading: PressureReading) -> SystemPressure?? { pressure.handle(reading) }

    /// - Returns: what to log about an output's new state.
    mutating func handle(output state: StateEvent) -> (level: Logger.Level, text: String)? {
        switch OutputState(rawValue: state.state) {
        case .waiting, .stalled, .failed:
            troubledOutputs.insert(state.part)
            return (.warning, state.state + (state.detail.map { ": \($0)" } ?? ""))
        case .ready where troubledOutputs.remove(state.part) != nil: return (.notice, "works again")
        case .idle, .connecting, .ready, .stopped, nil: return nil
        }
    }

    /// What the watchdog expects of the parts.
    /// - Parameters:
    ///   - isCameraRunning: its state promises frames, and no call into it is under way.
    ///   - isKeeping: scans are on their way to the disk.
    mutating func look(
        isCameraRunning: Bool, _ progress: CaptureProgress, _ readers: ReaderCounters, deadline: Duration,
        isKeeping: Bool
    ) -> WatchdogLook {
        WatchdogLook(duties: [
            duties.camera(isRunning: isCameraRunning, progress), duties.readers(readers, deadline: deadline),
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
