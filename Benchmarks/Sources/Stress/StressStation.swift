import ArgumentParser
import Dispatch
import Foundation
import Journal
import Logging
import Peripherals
import Reading
import ScanCore
import Settings
import Station
import StationConfiguration

/// The station that is killed, cut off and starved: the real one with real readers, replayed pictures as fast as they are read, a
/// simulated panel and a journal on disk. The tests start it as a separate process.
struct StressStationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stress-station", shouldDisplay: false)

    @Option var folder: String
    @Option var state: String
    @Option var serial: String?
    @Option var mqttPort: Int?
    @Option var inFlight = 20
    @Option var gapMilliseconds = 10
    @Option var maxScans: Int?
    /// For the door: hosts that answer.
    @Option var tcpPort: Int?
    @Option var unix: String?
    /// A configuration whose outputs are served instead.
    @Option var outputs: String?
    @Flag var door = false
    @Option var answers = OfferLedger.Rule.everyOffer
    @Option var mutation = Mutation.none
    @Flag var blind = false
    /// SQLite's own number: 0 OFF, 1 NORMAL, 2 FULL.
    @Option var synchronous = 2

    static let topic = "stress"

    func run() async throws {
        // The preloaded library is for this process, not for its readers.
        unsetenv("LD_PRELOAD")
        signal(SIGPIPE, SIG_IGN)
        let settings = try settings()
        let trace = TraceWriter()
        let panel = SimulatedPanel()
        let token = panel.observe { change in
            if change.role == .buzzer, case .tone(hertz: 1) = change.what { trace.beep() }
            if change.role == .relay, case .level(true) = change.what { trace.pulse() }
        }
        defer { panel.cancel(token) }
        var options = StationOptions(readerExecutable: ReaderExecutable.locate(), panel: panel, version: "stress")
        options.journal = try journal(trace, settings.journal)
        options.answerRule = answers
        var log = Logger(label: "station") { JournalLogHandler(label: $0, level: .notice) }
        log.logLevel = .notice
        let station = try Station(settings: settings, options: options, log: log)
        try await station.start()
        signal(SIGTERM, SIG_IGN)
        let (terminated, sink) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        source.setEventHandler { sink.yield() }
        source.resume()
        for await _ in terminated { break }
        source.cancel()
        await station.stop()
    }

    private func journal(_ trace: TraceWriter, _ settings: JournalSettings) throws -> any ScanJournal {
        var journalOptions = JournalOptions()
        guard let synchronous = JournalOptions.Synchronous(rawValue: synchronous) else {
            throw ValidationError("--synchronous is 0, 1 or 2")
        }
        journalOptions.synchronous = synchronous
        journalOptions.watchesFiles = !blind
        let inner = SQLiteJournal(
            settings: settings, folder: state, version: "stress", options: journalOptions,
            log: { level, text in FileHandle.standardError.write(Data("\(level): journal: \(text)\n".utf8)) })
        let mutated: any ScanJournal =
            switch mutation {
            case .none: inner
            case .beepBeforeCommit: EagerJournal(inner)
            case .receiptsLate: LateReceiptsJournal(inner)
            }
        return TracedJournal(mutated, trace: trace)
    }

    private func settings() throws -> StationSettings {
        var settings = StationSettings()
        settings.name = "stress"
        var replay = ReplaySettings()
        replay.framesPerPicture = 2
        replay.isUnpaced = true
        settings.capture.source = .replay(replay)
        settings.capture.preset = .low
        settings.trigger.mode = .continuous
        settings.trigger.sameSymbolTimeout = .zero
        settings.trigger.repeatInterval = .milliseconds(20)
        settings.trigger.gap = .milliseconds(gapMilliseconds)
        settings.buzzer = BuzzerSettings(drive: .pwm(chip: 0, channel: 0))
        settings.control.socket = folder + "/station.sock"
        settings.journal.folder = state
        if let maxScans { settings.journal.maxScans = maxScans }
        settings.outputs = try outputs.map(configured) ?? peers
        if door {
            settings.relay = RelaySettings(line: LineSettings(line: "GPIO26"))
            settings.relay?.pulse = .milliseconds(10)
            settings.host.expectsAnswer = true
            settings.host.relayOnAccept = true
            settings.host.timeout = DoorTest.timeout
        }
        return settings
    }

    private func configured(_ path: String) throws -> [OutputSettings] {
        var outputs = try StationConfiguration.load(path: path).settings.outputs
        for index in outputs.indices {
            outputs[index].required = true
            outputs[index].secrets = .asConfigured
        }
        return outputs
    }

    private var peers: [OutputSettings] {
        var outputs: [OutputSettings] = []
        if let serial {
            var line = SerialSettings(device: serial)
            // A record begins with a special mark: a kill may have cut the previous one short.
            line.format = FormatSettings("<STX>{seq} {id} {text}<LF>")
            line.acknowledgement = .ackNak
            // A busy machine's host is slow; for the repeats that a slow one brings there is the door's test.
            line.ackTimeout = .seconds(30)
            // The station is killed every second, and this host answers at once or never.
            line.answerLimit = .milliseconds(100)
            if door {
                line.ackTimeout = DoorTest.ackTimeout
                line.answerLimit = DoorTest.answerLimit
            }
            outputs.append(OutputSettings(name: "serial", kind: .serial(line)))
        }
        if let mqttPort {
            var mqtt = MQTTSettings(host: "127.0.0.1")
            mqtt.port = mqttPort
            mqtt.topic = Self.topic
            mqtt.inFlight = inFlight
            mqtt.discovery = false
            outputs.append(OutputSettings(name: "mqtt", kind: .mqtt(mqtt)))
        }
        if let tcpPort {
            var tcp = TCPSettings(port: tcpPort)
            tcp.lines = .template
            tcp.format = FormatSettings("<STX>{seq} {id} {text}<LF>")
            tcp.receipt = .ack
            tcp.ackTimeout = DoorTest.ackTimeout
            tcp.answerLimit = DoorTest.answerLimit
            outputs.append(OutputSettings(name: "tcp", kind: .tcp(tcp)))
        }
        if let unix {
            var socket = UnixSocketSettings(path: unix)
            socket.receipt = .ack
            socket.ackTimeout = DoorTest.ackTimeout
            outputs.append(OutputSettings(name: "unix", kind: .unixSocket(socket)))
        }
        for index in outputs.indices {
            // A person who stands at a door is gone after a second; and a live output goes on to the next scan while one is owed.
            if door {
                outputs[index].delivery = .live
                outputs[index].maxAge = .seconds(1)
            }
            outputs[index].required = !door
            outputs[index].secrets = .asConfigured
        }
        return outputs
    }
}

extension OfferLedger.Rule: ExpressibleByArgument {}
