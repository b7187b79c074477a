import ArgumentParser
import Capture
import Glibc
import Journal
import Linux
import Logging
import Peripherals
import Reading
import Settings
import Station
import StationConfiguration
import Vocabulary

/// `scanstation run`: the station itself, until a signal.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the station.",
        discussion: """
            On a terminal, a panel shows what the station does, what it has read, and what is wrong. Its last line names its keys; \
            q quits. With --plain, when input or output is redirected, and when the configuration names the output stdout, events \
            are printed as lines instead (NDJSON, unless that output says otherwise).

            With --simulate, a replayed scene stands in for the camera and simulated lines for the GPIO lines; keys press the simulated \
            buttons. A simulated run has its own journal, in "simulated" below the station's folder, and delivers only its own scans, \
            not what an earlier one left. The console is started with it: the panel, or a line of the log, says where its page is.

            Stop it with Ctrl-C or SIGTERM: the camera is released and every line is driven to its safe level. SIGHUP makes a \
            service read its configuration again; one with errors is refused and the old one stays. On a terminal, SIGHUP means that the \
            terminal hung up, and stops the station.
            """)

    @OptionGroup var configuration: ConfigurationOptions
    @Flag(help: "Replay the scene and simulate the panel, whatever is connected.") var simulate = false
    @Flag(help: "Replay the scene if there is no camera, simulate the panel if there is no GPIO chip.")
    var simulateMissing = false
    @Flag(help: "On a terminal too, print events as lines instead of showing the panel.") var plain = false
    @Flag(help: "On a desk: don't start the console.") var noConsole = false
    @OptionGroup var setting: SettingOptions

    func run() async throws {
        // First of all, while there is only one thread.
        // A preview's picture has some 230,000 bytes; nothing that is made for each frame is as large.
        Heap.keepLittle(piecesFrom: 1 << 17)
        let manager = ServiceEnvironment.take()
        let standing = VersionStanding.take()
        var command = self
        if case .insteadOf = standing { command.configuration.preferKnown() }
        do { try await command.run(manager, standing) } catch let code as ExitCode
            where code == ExitStatus.configuration && standing != .settled
        {
            // 78 would leave the station standing. A new version that refuses the configuration of the one before it is tried again, and then the
            // version before it starts.
            Console.fail("another version is ready, too: this isn't the last attempt")
            throw ExitStatus.unavailable
        }
    }

    private func run(_ manager: ServiceEnvironment?, _ standing: VersionStanding) async throws {
        ProcessSignals.ignoreBrokenPipes()
        let signals = ProcessSignals()
        // A reader that can't say it can't read either, and the station reports that.
        let decoders = try? await DecoderInventory.load(executable: ReaderExecutable.locate())
        let checked = try configuration.orExit { () throws(ConfigurationErrors) in
            try configuration.readForStation(decoders: decoders, adjust: setting.apply)
        }
        let loaded = checked.settings
        let limits = ProcessLimits.current(wanting: ProcessLimits.descriptors(for: loaded))
        if let problem = limits.problem(for: loaded) {
            await ServiceNotifier(manager, log: makeLog(loaded.log.level, panel: nil)).stopping(problem)
            Console.fail(problem)
            throw ExitStatus.unavailable
        }
        let desk = Desk.choose(simulate: simulate, simulateMissing: simulateMissing, settings: loaded)
        let panel = desk.hasPanel ? SimulatedPanel() : nil
        let terminal = !plain && desk.showsPanel(loaded) ? Terminal() : nil
        let configured = adapted(loaded, to: desk)
        let overlay = ConsoleOverlay(
            OverlayPlace.file(of: configured), overruled: setting.keys, putsAside: true)
        let settings = overlay.laid(over: configured, decoders: decoders)

        let panelLog = PanelLog()
        let log = makeLog(settings.log.level, panel: terminal != nil && Console.isErrorTerminal ? panelLog : nil)
        for warning in checked.warnings { log.warning("\(warning)") }
        let overlayNotes = overlay.notes(over: configured, decoders: decoders)
        for note in overlayNotes { log.warning("\(note)") }
        let changed = overlay.keysInForce(over: configured, decoders: decoders)
        if !changed.isEmpty { log.notice("from \(overlay.file.path): \(changed.sorted().joined(separator: ", "))") }
        if let reason = desk.reason, terminal == nil { log.notice("\(reason)") }
        var options = StationOptions(
            readerExecutable: ReaderExecutable.locate(), panel: panel, version: StationVersion.text)
        options.skipsEarlierRuns = desk.hasReplayedCamera
        options.standing = standing
        if let text = standing.text { log.notice("\(text)") }
        // The panel has the terminal and shows what would be written there, so scans count as delivered to standard output.
        if terminal != nil { options.standardOutput = open("/dev/null", O_WRONLY | O_CLOEXEC) }
        options.decoders = decoders
        options.configuration = configuration.effectivePath
        options.place = place(isService: manager != nil)
        options.overlay = overlay
        options.overlayNotes = overlayNotes
        if standing.isOnTrial, settings.journal.storage == .disk,
            let problem = JournalFile(folder: settings.journal.folder).conversionProblem
        {
            // It would run and keep nothing, and count as well.
            Console.fail(problem)
            throw ExitStatus.unavailable
        }
        let service = ServiceNotifier(manager, log: log)
        let station: Station
        do {
            station = try Station(settings: settings, options: options, log: log)
            try await station.start()
        } catch {
            await service.stopping("\(error)")
            terminal?.restore()
            Console.fail("\(error)")
            throw ExitStatus.of(error)
        }
        let lines = LineRecord(controlSocket: station.controlPath)
        if panel == nil {
            do { try lines.write(settings) } catch {
                log.warning(
                    "\(lines.path): \(error); after a crash, the lines that the configuration names are driven to their safe levels"
                )
            }
        }
        await service.started(station, standing)
        let isOnDesk = desk.hasPanel || desk.hasReplayedCamera
        let console =
            isOnDesk && !noConsole ? ConsoleProcess.make(settings.console, socket: station.consolePath, log: log) : nil
        console?.start()
        let failure: StationError?
        if let terminal {
            let session = await PanelSession(
                station: station, panel: panel, terminal: terminal, log: panelLog, note: desk.reason, console: console)
            failure = await session.run(until: signals)
            terminal.restore()
            for line in await session.summary() { Console.print(line) }
        } else {
            log.notice("the station runs; control socket: \(station.controlPath)")
            failure = await wait(
                for: signals, desk: desk, decoders: decoders, station: station, service: service, log: log)
        }
        log.notice("stopping")
        await service.stopping(failure.map { "\($0)" })
        signals.endOnNext()
        await console?.stop()
        await station.stop()
        if panel == nil { lines.remove() }
        if let failure, terminal != nil { Console.fail("\(failure)") }
        let status = failure.map(ExitStatus.of)
        // A thread that hangs in the camera's library would also hold up, forever, an exit that cleans up that library.
        if await station.isCameraStuck { _exit(status?.rawValue ?? 0) }
        if let status { throw status }
    }

    /// For people at the console who want to change the configuration.
    private func place(isService: Bool) -> ServicePlace {
        var place = ServicePlace()
        place.isService = isService
        if !isService {
            // A service's program is found by its name, and writes into its own folders.
            place.program = Files.resolved("/proc/self/exe") ?? place.program
            place.folder = Files.resolved(".")
            if let folder = place.folder { place.configuration = folder + "/station.yaml" }
        }
        if let file = configuration.effectivePath {
            place.configuration = Files.resolved(file) ?? file
            place.hasConfiguration = true
        }
        return place
    }

    /// Runs until the station gives up (and returns why), or until a signal other than SIGHUP. SIGHUP rereads the configuration, unless a
    /// terminal hung up.
    private func wait(
        for signals: ProcessSignals, desk: Desk, decoders: DecoderInventory?, station: Station,
        service: ServiceNotifier, log: Logger
    ) async -> StationError? {
        let isService = !Console.isInputTerminal
        for await arrival in RunArrival.stream(signals, station) {
            switch arrival {
            case .failure(let failure): return failure
            case .signal(let signal): guard signal == SIGHUP, isService else { return nil }
            }
            await service.reloading()
            await service.reloaded(problem: await reload(station, desk: desk, decoders: decoders, log: log))
        }
        return nil
    }

    /// Returns why the old configuration stays in force; `nil` if it doesn't.
    private func reload(
        _ station: Station, desk: Desk, decoders: DecoderInventory?, log: Logger
    ) async -> String? {
        do {
            let checked = try configuration.readForStation(decoders: decoders, adjust: setting.apply)
            for warning in checked.warnings { log.warning("\(warning)") }
            let new = adapted(checked.settings, to: desk)
            let waiting = try await station.reload(new)
            let rest = waiting.isEmpty ? "" : "; restart needed for: \(waiting.joined(separator: ", "))"
            log.notice("the configuration was read again\(rest)")
            return nil
        } catch let problems as ConfigurationErrors {
            for problem in problems.errors { log.error("\(problem)") }
            log.error("the new configuration has errors: the old one stays in force")
            return "the new configuration has errors, the old one stays in force"
        } catch {
            log.error("\(error): the old configuration stays in force")
            return "\(error): the old configuration stays in force"
        }
    }

    private func adapted(_ settings: StationSettings, to desk: Desk) -> StationSettings {
        var settings = settings
        if desk.hasReplayedCamera { settings = settings.withReplayedScene }
        if desk.hasPanel { settings = settings.withSimulatedPanel }
        return settings
    }

    /// - Parameter panel: gets the lines, because the panel has the terminal.
    private func makeLog(_ level: LogSettings.Level, panel: PanelLog?) -> Logger {
        var log = Logger(label: "scanstation") { label in
            if let panel { return PanelLogHandler(panel) }
            return JournalLogHandler(label: label, level: level.logger)
        }
        log.logLevel = level.logger
        return log
    }
}
