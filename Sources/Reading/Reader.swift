import Linux
import ReaderProtocol
import Settings
import Vocabulary

/// Reads a camera's frames with decoders in separate processes.
///
/// Frames go into `sink` on the camera's thread, and results come out of `results` in the order of the frames. In between, the newest frame
/// wins: there is no queue. If a decoder crashes or hangs on a frame, only that frame is lost; a spare process is ready. All settings can
/// change while frames come in.
package actor Reader {
    /// Internal for tests.
    nonisolated let pool: WorkerPool
    private var settings: ReadingSettings
    /// As it was asked for.
    private var effort = ReadEffort.Kind.quick
    private var isUnderPressure = false
    private var ladderShare = 1.0

    /// Give this to the capture controller.
    package nonisolated let sink: any FrameSink
    /// One result for each frame that was read or held back, in the order of the frames, with the ladder's finds between them. For one
    /// consumer. Ends with the reader.
    package nonisolated let results: AsyncStream<ReadResult>

    /// - Parameters:
    ///   - margin: how much around the viewport is read for quiet zones, as a fraction of the upright frame, 0…0.5.
    ///   - executable: path of `scanstation-reader`; see `ReaderExecutable.locate`.
    ///   - log: called on the readers' own threads; must not call back into the reader and wait.
    package init(
        settings: ReadingSettings, viewport: Viewport = .full, margin: Double, orientation: Orientation = .upright,
        executable: String = ReaderExecutable.locate(), log: @escaping @Sendable (ReaderNotice) -> Void
    ) {
        self.init(
            settings: settings, viewport: viewport, margin: margin, orientation: orientation, executable: executable,
            workerArguments: [], gate: ChangeGate(), log: log)
    }

    /// - Parameter workerArguments: test aids of the reader process, such as `--fault crash-on-frame=3`.
    init(
        settings: ReadingSettings, viewport: Viewport, margin: Double, orientation: Orientation, executable: String,
        workerArguments: [String], gate: ChangeGate, previews: PreviewMachine.Limits = PreviewMachine.Limits(),
        log: @escaping @Sendable (ReaderNotice) -> Void
    ) {
        self.settings = settings
        let configuration = WorkerPool.Configuration(
            viewport: viewport, margin: margin, orientation: orientation, rules: DecodeRules(settings),
            crashFolder: Self.crashFolder(settings))
        pool = WorkerPool(
            limits: ReaderMachine.Limits(settings), gate: gate, configuration: configuration, executable: executable,
            arguments: ["--serve"] + workerArguments, previews: previews, log: log)
        sink = ReaderSink(pool: pool)
        results = pool.results
    }

    deinit { pool.requestStop() }

    /// Starts the processes, and allocates the memory for frames of this size; another size may come later. Doesn't wait for the processes:
    /// the first frames do. Throws if the executable or the memory is missing.
    package func start(size: FrameSize) throws(ReaderError) { try pool.start(size: size) }

    /// Ends the processes. Frames being read are lost without a result. `start` begins again.
    package func stop() async { await pool.stop() }

    package func setViewport(_ viewport: Viewport) {
        pool.update {
            $0.configuration.viewport = viewport
            $0.machine.gate.restart()
        }
    }

    /// - Parameter margin: as in `init`.
    package func setMargin(_ margin: Double) {
        pool.update {
            $0.configuration.margin = margin
            $0.machine.gate.restart()
        }
    }

    package func setOrientation(_ orientation: Orientation) {
        pool.update {
            $0.configuration.orientation = orientation
            $0.machine.gate.restart()
        }
    }

    package func setEffort(_ effort: ReadEffort.Kind) {
        self.effort = effort
        applyEffort()
    }

    /// While the machine is hot, or short of power or memory, there is no ladder, and `max` doesn't apply.
    package func setUnderPressure(_ isUnderPressure: Bool) {
        guard isUnderPressure != self.isUnderPressure else { return }
        self.isUnderPressure = isUnderPressure
        applyEffort()
        pool.setLimits(limits)
    }

    /// How much of the time the ladder may take while no session waits, more than 0, up to 1.
    package func setLadderShare(_ share: Double) {
        ladderShare = share
        applyEffort()
    }

    private func applyEffort() {
        let share = effort == .thorough ? 1 : ladderShare
        let effort = settings.effort == .max && !isUnderPressure ? .thorough : effort
        pool.update {
            $0.machine.gate.effort = effort
            $0.machine.ladderShare = share
        }
    }

    private var limits: ReaderMachine.Limits {
        var limits = ReaderMachine.Limits(settings)
        if isUnderPressure { limits.climbs = false }
        return limits
    }

    /// While paused, no frame is looked at or gets a result.
    package func setPaused(_ isPaused: Bool) {
        pool.update { [pool] in pool.perform($0.machine.handle(.paused(isPaused), at: Instant.now), &$0) }
    }

    /// While a sighting is pending (it waits for another observation), unchanged frames are read, too.
    package func setPending(_ isPending: Bool) { pool.update { $0.machine.gate.isPending = isPending } }

    /// Other rules, deadline, gate or number of workers, from the next frame on.
    package func setSettings(_ settings: ReadingSettings) {
        self.settings = settings
        let rules = DecodeRules(settings)
        let folder = Self.crashFolder(settings)
        pool.update { state in
            if rules != state.configuration.rules {
                for process in state.processes.values { process.sendOrKill(.rules(rules)) }
                state.machine.forgetPictures()
            }
            state.configuration.rules = rules
            state.configuration.crashFolder = folder
        }
        applyEffort()
        pool.setLimits(limits)
    }

    package var counters: ReaderCounters {
        pool.state.withLock { state in
            var counters = state.machine.counters
            counters.unfetched = state.unfetched
            return counters
        }
    }

    /// For the newest frame that was looked at; the torch needs it.
    package nonisolated var light: SceneLight? { pool.state.withLock(\.light) }

    /// The next picture of a frame that is newer than `after`, with what was read in that frame; `nil` if none comes within a second. Throws if
    /// too many wait for one.
    package nonisolated func preview(after: UInt64?, maxWidth: Int) async throws(ReaderError) -> Preview? {
        switch await pool.previews.next(after: after, maxWidth: maxWidth) {
        case .preview(let preview): return preview
        case .nothing: return nil
        case .turnedAway:
            throw ReaderError(
                "\(PreviewMachine.maxAskers) wait for a picture already: ask again when one of them has it")
        }
    }

    /// Process ids of the running reader processes.
    package var processIDs: [Int32] { pool.state.withLock { $0.processes.values.map(\.pid).sorted() } }

    private static func crashFolder(_ settings: ReadingSettings) -> CrashFolder? {
        settings.crashFolder.map { CrashFolder(path: $0, maxFiles: settings.crashFolderMaxFiles) }
    }
}

extension ReaderMachine.Limits {
    package init(_ settings: ReadingSettings) {
        self.init()
        workers = min(max(1, settings.workers), 4)
        deadline = settings.deadline
        usesGate = settings.changeGate
        climbs = settings.effort != .eco
        diagnoses = settings.diagnoses
    }
}

/// Where the capture controller puts frames.
private struct ReaderSink: FrameSink {
    let pool: WorkerPool

    func receive(_ frame: LumaFrame) { pool.receive(frame) }
}
