import Capture
import Control
import Delivery
import Journal
import Payloads
import Peripherals
import Reading
import Settings
import Wire

/// What the journal reports about itself.
struct JournalLogLine: Sendable {
    var level: LogSettings.Level
    var text: String
}

/// The parts of a station, made from its settings and not started yet.
struct StationParts: Sendable {
    let lines: any LineProvider
    let notices: PeripheralNotices
    let torch: Torch
    let feedback: FeedbackPlayer
    let relay: Relay?
    let triggerButton: Button?
    let confirmButton: Button?
    let reader: Reader
    let readerNotices: AsyncStream<ReaderNotice>
    let capture: CaptureController
    let captureLines: AsyncStream<CaptureLogLine>
    /// Says what the text of a code means.
    let interpreter: PayloadInterpreter
    let journal: any ScanJournal
    let journalLines: AsyncStream<JournalLogLine>
    let keeper: ScanKeeper
    let dispatcher: Dispatcher
    let network: NetworkWatch
    let control: ControlServer
    /// The console's socket; `nil`: `console.enabled` is off.
    let console: ControlServer?
    /// Hosts' answers that came through the outputs.
    let answers: AsyncStream<HostAnswer>
    /// Their refusals that are no verdict, through outputs and sockets. Apart, so that a peer's flood of them pushes out no answers.
    let objections: AsyncStream<HostObjection>

    /// How many answers wait for the scan loop; more would only be late.
    private static let answerLimit = 256

    /// What the console's socket is called in `status` and in answers.
    static let consoleDoor = "console"

    /// Throws what is wrong with the settings. No device is touched yet.
    static func make(
        settings: StationSettings, name: String, options: StationOptions, handler: @escaping CommandHandler,
        pictures: @escaping PreviewHandler
    ) throws -> StationParts {
        let lines: any LineProvider = options.panel ?? GPIOChips()
        let notices = PeripheralNotices()
        let (readerNotices, readerNoticeSink) = AsyncStream.makeStream(
            of: ReaderNotice.self, bufferingPolicy: .bufferingNewest(64))
        let reader = Reader(
            settings: settings.reading, viewport: settings.capture.viewport, margin: settings.capture.viewportMargin,
            orientation: settings.capture.orientation, executable: options.readerExecutable,
            log: { readerNoticeSink.yield($0) })
        let (captureLines, captureLineSink) = AsyncStream.makeStream(
            of: CaptureLogLine.self, bufferingPolicy: .bufferingNewest(64))
        let capture = CaptureController(
            settings: settings.capture, sink: reader.sink, system: options.cameraSystem
        ) { captureLineSink.yield($0) }
        let (journalLines, journalLineSink) = AsyncStream.makeStream(
            of: JournalLogLine.self, bufferingPolicy: .bufferingNewest(64))
        let journal =
            options.journal
            ?? JournalFactory.make(
                settings.journal, payloads: settings.payloads, version: options.version,
                convertsOlder: !options.standing.isOnTrial,
                log: { journalLineSink.yield(JournalLogLine(level: $0, text: $1)) })
        let (answers, answerSink) = AsyncStream.makeStream(
            of: HostAnswer.self, bufferingPolicy: .bufferingNewest(Self.answerLimit))
        let (objections, objectionSink) = AsyncStream.makeStream(
            of: HostObjection.self, bufferingPolicy: .bufferingNewest(Self.answerLimit))
        var context = OutputContext(
            station: name, version: options.version, hasTorch: settings.torch != nil,
            isTriggered: settings.trigger.mode.isTriggered, commands: outputHandler(handler),
            answer: { answerSink.yield($0) }, object: { objectionSink.yield($0) }, journal: journal,
            stateFolder: settings.journal.storage == .disk ? settings.journal.folder ?? StateFolder.default : nil,
            files: FileClaims(settings, configuration: options.configuration, places: .system))
        context.standardOutput = options.standardOutput
        context.answerRule = options.answerRule
        let dispatcher = try Dispatcher(
            settings: settings.outputs, context: context, journal: journal, skipsEarlierRuns: options.skipsEarlierRuns)
        let control = ControlServer(
            settings: settings.control, secrets: settings.control.secrets, journal: journal,
            door: SocketDoor(
                secretsLimit: nil, pictures: pictures,
                object: { objectionSink.yield(HostObjection(output: "control")) }),
            handler: handler)
        return StationParts(
            lines: lines, notices: notices,
            torch: Torch(settings: settings.torch, lines: lines, notices: notices),
            feedback: FeedbackPlayer(
                indicators: settings.indicators, buzzer: settings.buzzer, settings: settings.feedback, lines: lines,
                notices: notices, limits: options.feedbackLimits),
            relay: settings.relay.map { Relay(settings: $0, lines: lines, notices: notices) },
            triggerButton: settings.trigger.button.map {
                Button(settings: $0, role: .trigger, lines: lines, notices: notices)
            },
            confirmButton: settings.confirmation.button.map {
                Button(settings: $0, role: .confirm, lines: lines, notices: notices)
            },
            reader: reader, readerNotices: readerNotices, capture: capture, captureLines: captureLines,
            interpreter: PayloadInterpreter(settings: settings.payloads), journal: journal, journalLines: journalLines,
            keeper: ScanKeeper(journal: journal), dispatcher: dispatcher,
            network: NetworkWatch { dispatcher.conditionsChanged() },
            control: control,
            console: consoleServer(
                settings, control: control.path, journal: journal, handler: handler, pictures: pictures),
            answers: answers, objections: objections)
    }

    /// Anyone who reaches a broker or a port can send commands to an output.
    private static func outputHandler(_ handler: @escaping CommandHandler) -> CommandHandler {
        { command, client in
            if let refusal = CommandAccess.output.refusal(of: command) {
                return Reply(command: command.name, error: refusal)
            }
            return await handler(command, client)
        }
    }

    /// The mode lets everybody connect, as the console's group is unknown here: the server itself looks at each one's user.
    private static func consoleServer(
        _ settings: StationSettings, control: String, journal: any ScanJournal, handler: @escaping CommandHandler,
        pictures: @escaping PreviewHandler
    ) -> ControlServer? {
        guard settings.console.isEnabled else { return nil }
        var socket = ControlSettings()
        socket.socket = SocketPath.resolve(settings.console, control: control)
        socket.mode = 0o666
        socket.maxClients = 8
        return ControlServer(
            settings: socket, name: consoleDoor, kind: "console", secrets: .withheld, journal: journal,
            door: .console(settings.console, pictures: pictures), handler: handler)
    }

    /// Takes the lines.
    func startPeripherals() async {
        await torch.start()
        await feedback.start()
        await relay?.start()
        await triggerButton?.start()
        await confirmButton?.start()
    }

    /// The levels of all lines that the station has or wants.
    func lineStatuses() async -> [LineStatus] {
        var statuses: [LineStatus] = []
        if let status = await torch.lineStatus() { statuses.append(status) }
        statuses += await feedback.status().lines
        if let status = await relay?.status().line { statuses.append(status) }
        for button in [triggerButton, confirmButton].compactMap(\.self) {
            statuses.append(await button.status())
        }
        return statuses
    }

    /// Drives every line to its safe level and gives it back; inputs last, because they harm nobody.
    func shutDownPeripherals() async {
        await torch.shutdown()
        await relay?.shutdown()
        await feedback.shutdown()
        await triggerButton?.shutdown()
        await confirmButton?.shutdown()
    }
}
