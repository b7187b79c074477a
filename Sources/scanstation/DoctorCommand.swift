import ArgumentParser
import Reading
import Station
import StationConfiguration
import Wire

/// `scanstation doctor`: looks at everything the station needs; each line OK, WARN or FAIL with a remedy.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything the station needs, and say what to do. Exits with 1 on a FAIL.")

    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "As JSON lines.") var json = false

    func run() async throws {
        let configuration = try connection.configuration.orExit(connection.configuration.read)
        let decoders = try? await DecoderInventory.load(executable: ReaderExecutable.locate())
        let status = await connection.askIfRunning(.status)
        let doctor = Doctor(readerExecutable: ReaderExecutable.locate(), socket: try connection.path())
        var worst = DoctorFinding.Level.ok
        let overlay = ConsoleOverlay(OverlayPlace.lookedUp(configuration.settings), putsAside: false)
        for await finding in doctor.findings(
            in: DoctorContext(configuration, overlay: overlay, decoders: decoders, station: status))
        {
            worst = max(worst, finding.level)
            show(finding)
        }
        if worst == .fail { throw ExitStatus.nothing }
    }

    private func show(_ finding: DoctorFinding) {
        if json {
            var fields: [String: JSONValue] = [
                "level": .string(finding.level.rawValue), "subject": .string(finding.subject),
                "finding": .string(finding.finding),
            ]
            if let remedy = finding.remedy { fields["remedy"] = .string(remedy) }
            Console.print(JSONValue.object(fields).description)
            return
        }
        let paint = Paint.forTerminal(Console.isOutputTerminal)
        let style: Paint.Style = finding.level == .ok ? .green : finding.level == .warn ? .yellow : .red
        let label = paint(style, PanelScreen.pad(finding.level.rawValue, 4))
        Console.print("\(label)  \(PanelScreen.pad(finding.subject, 8))  \(TerminalText.escape(finding.finding))")
        if let remedy = finding.remedy { Console.print("                \(paint(.dim, "→")) \(remedy)") }
    }
}
