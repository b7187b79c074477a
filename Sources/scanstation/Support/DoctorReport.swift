import Glibc
import Linux
import Station
import Wire

/// `doctor --report`: what is worth knowing of a machine, its station and doctor's findings, as text to be pasted into an issue.
///
/// Without what is nobody else's business: names that people gave, addresses, what stands behind `://`, folders below /home, serial numbers.
/// The configuration isn't in it; its findings name keys, and lose the values that they quote where a key could be of something secret.
struct DoctorReport {
    /// Prefix for absolute paths; empty for the machine itself.
    var root = ""
    var version: String
    /// What a running station says (`status`); `nil`: none answers.
    var station: JSONValue?
    /// Kinds of the configured outputs.
    var outputs: [String]
    /// Who asks, by login name; also behind `sudo`.
    var users: [String]

    func text(_ findings: [DoctorFinding]) -> String {
        var lines = ["**ScanStation report** (`scanstation doctor --report`)", "", "| | |", "|---|---|"]
        lines += facts.map { "| \($0.name) | \(Self.cell(masked($0.value))) |" }
        lines += ["", "```"]
        for finding in findings {
            let isConfiguration = finding.subject == "config"
            lines.append(
                "\(PanelScreen.pad(finding.level.rawValue, 4))  \(PanelScreen.pad(finding.subject, 9))  "
                    + masked(finding.finding, hidesQuotes: isConfiguration))
            if let remedy = finding.remedy { lines.append("                 → \(masked(remedy))") }
        }
        lines.append("```")
        return lines.joined(separator: "\n")
    }

    private var facts: [(name: String, value: String)] {
        var facts = [("program", version)]
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { facts.append((name, value)) } }
        add("package", Files.firstLine(of: "\(root)/usr/lib/scanstation/VERSION"))
        add("package before", Files.firstLine(of: "\(root)/usr/lib/scanstation/previous/VERSION"))
        add("station runs", station?["version"]?.stringValue)
        add("why", station?["versionNote"]?.stringValue)
        add("board", board)
        add("system", osName)
        add("kernel", kernel)
        add("memory", memory)
        add("processors", "\(sysconf(Int32(_SC_NPROCESSORS_ONLN)))")
        add("image", Files.firstLine(of: "\(root)/etc/rpi-issue"))
        add("disk", disk)
        add("network", network)
        add("config.txt", firmwareLines)
        add("card", cardState)
        add("outputs", outputs.isEmpty ? "none" : outputs.joined(separator: ", "))
        if let camera = station?["camera"] {
            let words = ["state", "model", "resolution", "format", "detail"].compactMap { camera[$0]?.stringValue }
            add("camera", words.joined(separator: ", "))
        }
        if let counters = station?["counters"] {
            let scans = counters["scans"]?.integerValue ?? 0
            add("so far", "\(scans.counted("scan")), up \(station?["uptimeSeconds"]?.integerValue ?? 0) s")
        }
        return facts
    }

    /// The device tree's name ends with a NUL. A PC has none.
    private var board: String {
        let model = Files.firstLine(of: "\(root)/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }
        return model ?? Files.firstLine(of: "\(root)/sys/class/dmi/id/product_name") ?? "unknown"
    }

    private var osName: String? {
        Files.text(of: "\(root)/etc/os-release")?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { String($0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }) }
    }

    private var kernel: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        return "\(String(untilNUL: name.release)) \(String(untilNUL: name.machine))"
    }

    private var memory: String? {
        let line = Files.firstLine(of: "\(root)/proc/meminfo")?.split(separator: " ") ?? []
        guard line.count == 3, let kibibytes = Int(line[1]) else { return nil }
        return "\(kibibytes >> 10) MB"
    }

    /// Of the root file system: whether a card's was enlarged shows in it.
    private var disk: String? {
        var figures = statvfs()
        guard statvfs(root.isEmpty ? "/" : root, &figures) == 0 else { return nil }
        let block = UInt64(figures.f_frsize)
        func gigabytes(_ blocks: fsblkcnt_t) -> String {
            let tenths = (UInt64(blocks) * block + 50_000_000) / 100_000_000
            return "\(tenths / 10).\(tenths % 10) GB"
        }
        return "\(gigabytes(figures.f_blocks)), \(gigabytes(figures.f_bavail)) free"
    }

    /// Which interfaces there are, and whether they are connected; no addresses.
    private var network: String? {
        let folder = "\(root)/sys/class/net"
        return Files.names(in: folder).sorted().filter { $0 != "lo" }.map { name in
            "\(Self.kind(ofInterface: name)) \(Files.firstLine(of: "\(folder)/\(name)/operstate") ?? "unknown")"
        }.joined(separator: ", ")
    }

    /// A name that systemd made of an address loses it; one that a person gave is no more than "another".
    private static func kind(ofInterface name: String) -> String {
        if ["enx", "wlx"].contains(String(name.prefix(3))) { return name.prefix(3) + "…" }
        return ["eth", "en", "wlan", "wl", "usb"].contains(where: name.hasPrefix) ? name : "another"
    }

    /// What `deploy/image/prepare` has written between its marks.
    private var firmwareLines: String? {
        let lines = Files.text(of: "\(root)/boot/firmware/config.txt")?.split(whereSeparator: \.isNewline) ?? []
        guard let first = lines.firstIndex(where: { $0.hasPrefix("# >>> ScanStation") }),
            let last = lines.firstIndex(where: { $0.hasPrefix("# <<< ScanStation") }), first < last
        else { return nil }
        return lines[first..<last].filter { !$0.hasPrefix("#") }.joined(separator: "; ")
    }

    /// What the first boot of a flashed card says: "SETTING UP", "READY", "NEEDS YOU".
    private var cardState: String? {
        // Lines end as Windows likes it, which is one character to Swift.
        let lines = Files.text(of: "\(root)/boot/firmware/SCANSTATION.TXT")?.split(whereSeparator: \.isNewline)
        return lines?.first?.split(separator: ":").last.map { String($0.drop { $0 == " " }) }
    }

    // MARK: What stays out

    /// - Parameter hidesQuotes: quoted values go, too, where the text names something secret.
    private func masked(_ text: String, hidesQuotes: Bool = false) -> String {
        var text = TerminalText.escape(text)
        if let name = station?["name"]?.stringValue, !name.isEmpty {
            text = text.replacing("\"\(name)\"", with: "\"…\"")
        }
        if hidesQuotes, ["password", "token", "secret", "credential"].contains(where: text.lowercased().contains) {
            let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
            text = parts.enumerated().map { $0.offset % 2 == 1 ? "…" : $0.element }.joined(separator: "\"")
        }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { masked(word: String($0)) }
            .joined(separator: " ")
    }

    private func masked(word: String) -> String {
        // The names of a station's own user, and of root, say nothing of a person.
        var word = word
        for user in users where !user.isEmpty && !["root", "scanstation"].contains(user) {
            word = Self.masked(user, in: word)
        }
        if let range = word.firstRange(of: "://") { return word[..<range.upperBound] + "…" }
        if let range = word.firstRange(of: "/home/") {
            let rest = word[range.upperBound...].drop { $0 != "/" }
            return word[..<range.upperBound] + "…" + rest
        }
        let digits = word.split { !$0.isNumber && $0 != "." }
        let isAddress = digits.contains { $0.split(separator: ".").count == 4 }
        return isAddress || word.split(separator: ":", omittingEmptySubsequences: false).count > 4 ? "(address)" : word
    }

    /// Wherever it stands by itself: between characters that no login name has.
    private static func masked(_ user: String, in word: String) -> String {
        var (rest, masked) = (word[...], "")
        while let first = rest.first {
            let name = rest.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
            // A sentence may end behind it.
            let bare = name.last == "." ? name.dropLast() : name
            masked += bare == user ? "…" + name.dropFirst(bare.count) : name.isEmpty ? String(first) : String(name)
            rest = rest.dropFirst(max(1, name.count))
        }
        return masked
    }

    /// Within a table of Markdown.
    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("\n", with: " ") }
}
