import ArgumentParser
import Linux
import Reading
import Station
import StationConfiguration
import Vocabulary
import Wire

/// `scanstation doctor`: looks at everything the station needs; each line OK, WARN or FAIL with a remedy.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything the station needs, and say what to do. Exits with 1 on a FAIL.",
        discussion: "With --report, the same as text for an issue, together with what is worth knowing of the machine.")

    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "As JSON lines.") var json = false
    @Flag(
        help: "As text to paste into an issue, with versions, board and system; without names, addresses and secrets.")
    var report = false

    func validate() throws {
        if report, json { throw ValidationError("--report is text: leave out --json") }
    }

    func run() async throws {
        let configuration = try connection.configuration.orExit(connection.configuration.read)
        let decoders = try? await DecoderInventory.load(executable: ReaderExecutable.locate())
        let status = await connection.askIfRunning(.status)
        let doctor = Doctor(readerExecutable: ReaderExecutable.locate(), socket: try connection.path())
        var worst = DoctorFinding.Level.ok
        let overlay = ConsoleOverlay(OverlayPlace.lookedUp(configuration.settings), putsAside: false)
        var findings: [DoctorFinding] = []
        for await finding in doctor.findings(
            in: DoctorContext(configuration, overlay: overlay, decoders: decoders, station: status))
        {
            worst = max(worst, finding.level)
            if report { findings.append(finding) } else { show(finding) }
        }
        if report {
            let outputs = configuration.settings.outputs.map { type(of: $0.kind.settings).key }
            Console.print(
                DoctorReport(
                    version: StationVersion.text, station: status, outputs: outputs,
                    users: [UserIdentity.current().name, Environment.value("SUDO_USER") ?? ""]
                ).text(findings))
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
