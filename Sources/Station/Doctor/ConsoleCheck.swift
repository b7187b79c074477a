import Linux
import Wire

/// Where the station's page is, as its console says: a phone in the network, this machine alone, or nowhere.
struct ConsoleCheck: DoctorCheck {
    private static let subject = "console"
    private static let unit = "/usr/lib/systemd/system/scanstation-console.service"
    /// What answers for NAME.local: Avahi, as Raspberry Pi OS has it.
    private static let responder = "/run/avahi-daemon/pid"

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        // Only the station knows: the console's own folder is for nobody else.
        guard let console = context.station?["console"], console["enabled"]?.boolValue == true else { return [] }
        let addresses = (console["addresses"]?.arrayValue ?? []).compactMap(\.stringValue)
        guard let first = addresses.first else {
            // One that is connected and doesn't say where its page is, is older.
            guard console["consoles"]?.integerValue == 0, Files.text(of: context.root + Self.unit) != nil else {
                return []
            }
            return [
                DoctorFinding(
                    .warn, Self.subject, "the station's page doesn't run: no console is connected",
                    remedy: "systemctl status scanstation-console")
            ]
        }
        guard !first.hasPrefix("http://127.") else {
            return [
                DoctorFinding(
                    .ok, Self.subject, "\(first) on this machine alone",
                    remedy: "for a phone in the network, set a password: scanstation console password")
            ]
        }
        // A name that nobody announces is no help: the number goes first.
        let nameless = first.contains(".local:") && Files.firstLine(of: context.root + Self.responder) == nil
        return [
            DoctorFinding(
                .ok, Self.subject,
                "a phone opens \((nameless ? addresses.reversed() : addresses).joined(separator: " or ")) in the same network",
                remedy: nameless
                    ? "nothing here announces the .local name: use the plain address, or sudo apt install avahi-daemon"
                    : nil)
        ]
    }
}
