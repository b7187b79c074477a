import Glibc
import Journal
import Linux
import Vocabulary
import Wire

/// The journal: does its folder exist, is it ours, and is it on a disk that keeps data? Is there room? What holds it up?
struct JournalFolderCheck: DoctorCheck {
    /// Less than this is a warning.
    static let lowBytes: UInt64 = 200 << 20
    /// More waiting scans than this are a warning even if the required output works; with fewer it may just be catching up.
    static let manyWaiting: Int64 = 100

    private static let subject = "journal"

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        let settings = context.settings.journal
        if let told = context.station?["journal"], told["state"]?.stringValue != nil {
            return running(told) + lag(in: context, stored: nil)
        }
        guard settings.storage == .disk else {
            return [
                DoctorFinding(
                    .warn, Self.subject,
                    "journal.storage is memory: scans are gone when the process ends, and a beep promises nothing",
                    remedy: "set journal.storage to disk, unless this is only for trying things")
            ] + lag(in: context, stored: nil)
        }
        let folder = context.root + (settings.folder ?? StateFolder.default)
        let file = JournalFile(folder: folder)
        var findings = place(folder, file, in: context)
        guard findings.allSatisfy({ $0.level != .fail }), access(file.path, F_OK) == 0 else {
            return findings + lag(in: context, stored: nil)
        }
        do throws(JournalError) {
            let report = try file.report()
            findings.append(
                DoctorFinding(
                    .ok, Self.subject, "\(report.scans.counted("scan")), \(report.bytes >> 10) KiB, in \(file.path)"))
            return findings + setAside(folder) + lag(in: context, stored: report)
        } catch {
            let remedy =
                switch error.code {
                case .newerVersion: "install that version again, or set journal.folder to another folder"
                case .damaged: "start the station: it sets the file aside, says so and makes a new one"
                default: "see what it says, or set journal.folder to another folder"
                }
            return findings + [DoctorFinding(.fail, Self.subject, error.message, remedy: remedy)] + setAside(folder)
        }
    }

    // MARK: A station that runs

    /// What the station says about its journal counts more than what this user can see of it.
    private func running(_ journal: JSONValue) -> [DoctorFinding] {
        let state = journal["state"]?.stringValue ?? ""
        let path = journal["path"]?.stringValue
        let text =
            "the running station's, \(path ?? "in memory"): \(state), \((journal["scans"]?.integerValue ?? 0).counted("scan"))"
        let detail = journal["detail"]?.stringValue.map { ": \($0)" } ?? ""
        var findings: [DoctorFinding]
        switch state {
        case "ready": findings = [DoctorFinding(.ok, Self.subject, text)]
        case "storageSlow":
            findings = [
                DoctorFinding(
                    .warn, Self.subject, text + detail, remedy: "a worn SD card is slow: replace it, or use an SSD")
            ]
        default:
            findings = [
                DoctorFinding(
                    .fail, Self.subject, text + detail + "; no scan is accepted",
                    remedy: "do what it says; the station then goes on by itself")
            ]
        }
        if let warning = journal["warning"]?.stringValue {
            findings.append(
                DoctorFinding(.warn, Self.subject, warning, remedy: "see journal.folder and journal.storage"))
        }
        if let slash = path?.lastIndex(of: "/"), let folder = path?[..<slash] {
            var status = statvfs()
            if statvfs(String(folder), &status) == 0 {
                findings.append(Self.room(String(folder), free: UInt64(status.f_bavail) * UInt64(status.f_frsize)))
            }
        }
        return findings
    }

    // MARK: The folder

    private func place(_ folder: String, _ file: JournalFile, in context: DoctorContext) -> [DoctorFinding] {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else {
            let reason = SystemError().text
            if let parent = Self.firstParent(of: folder), access(parent, W_OK | X_OK) == 0 {
                return [DoctorFinding(.ok, Self.subject, "\(folder) is made at the start")]
            }
            return [
                DoctorFinding(
                    .fail, Self.subject, "\(folder): \(reason), and \(context.user.name) can't make it",
                    remedy:
                        "make it for the station's user (sudo install -d -o scanstation \(folder)), or set journal.folder"
                )
            ]
        }
        if status.f_flag & UInt(ST_RDONLY) != 0 {
            return [
                DoctorFinding(
                    .fail, Self.subject, "\(folder) is read-only: no scan can be kept, so none is accepted",
                    remedy: "check `dmesg` for file system errors; an ageing SD card turns read-only")
            ]
        }
        if access(folder, W_OK | X_OK) != 0 {
            return [
                DoctorFinding(
                    .fail, Self.subject, "\(folder) can't be written by \(context.user.name)",
                    remedy:
                        "if that is the station's user: sudo chown \(context.user.name) \(folder), or set journal.folder; "
                        + "if the station is a service: sudo -u scanstation scanstation doctor")
            ]
        }
        return disk(folder, file, free: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    private func disk(_ folder: String, _ file: JournalFile, free: UInt64) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if let warning = file.placeWarning {
            findings.append(
                DoctorFinding(
                    .warn, Self.subject, warning.prefix { $0 != "." } + ": a beep promises less than it should",
                    remedy: "set journal.folder to a folder on a disk"))
        }
        findings.append(Self.room(folder, free: free))
        return findings
    }

    private static func room(_ folder: String, free: UInt64) -> DoctorFinding {
        let text = "\(folder): \(free >> 20) MiB free"
        guard free < lowBytes else { return DoctorFinding(.ok, subject, text) }
        return DoctorFinding(
            .warn, subject, text + "; when it is full, no scan is accepted",
            remedy: "make room (`sudo apt clean`, `sudo journalctl --vacuum-size=100M`), or lower journal.maxBytes")
    }

    /// The nearest existing folder above it.
    private static func firstParent(of folder: String) -> String? {
        var path = folder
        while let slash = path.lastIndex(of: "/") {
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            if access(path, F_OK) == 0 { return path }
            if path == "/" { return nil }
        }
        return "."
    }

    /// Damaged journals from earlier: they may contain scans that nobody else has.
    private func setAside(_ folder: String) -> [DoctorFinding] {
        let names = Files.names(in: folder).filter { $0.hasPrefix("journal-damaged-") && $0.hasSuffix(".db") }
        guard let newest = names.last else { return [] }
        return [
            DoctorFinding(
                .warn, Self.subject,
                "\(names.count.counted("damaged journal")) set aside in \(folder), the last as \(newest)",
                remedy: "copy it elsewhere for a rescue, then delete it; if it happens again, the disk is failing")
        ]
    }

    // MARK: Who holds it up

    private func lag(in context: DoctorContext, stored report: JournalReport?) -> [DoctorFinding] {
        let maxScans = Int64(context.settings.journal.maxScans)
        if let outputs = context.station?["outputs"]?.arrayValue {
            return outputs.compactMap { output in
                guard output["required"]?.boolValue == true, let lag = output["lag"]?.integerValue, lag > 0 else {
                    return nil
                }
                let isReady = output["state"]?.stringValue == "ready"
                guard !isReady || lag >= Self.manyWaiting else { return nil }
                return waiting(
                    output["name"]?.stringValue ?? "?", lag, maxScans,
                    why: output["detail"]?.stringValue ?? output["lastError"]?.stringValue)
            }
        }
        return report?.outputs.filter { $0.isRequired && $0.isActive && $0.lag > 0 }.map {
            waiting($0.name, Int64(clamping: $0.lag), maxScans, why: "no station runs")
        } ?? []
    }

    private func waiting(_ name: String, _ lag: Int64, _ maxScans: Int64, why: String?) -> DoctorFinding {
        let text = "\(lag.counted("scan waits", "scans wait")) for output \"\(name)\"" + (why.map { ": \($0)" } ?? "")
        let isNearLimit = lag >= maxScans / 5 * 4
        return DoctorFinding(
            isNearLimit ? .fail : .warn, Self.subject,
            text + (isNearLimit ? "; at \(maxScans) (journal.maxScans) no scan is accepted any more" : ""),
            remedy: "fix the cause above, or set required: off for that output; `scanstation outputs` shows it")
    }
}
