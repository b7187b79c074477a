import Wire

/// A `status` reply in a dozen lines: what the station does and what is wrong. `--json` shows everything.
enum StatusText {
    static func lines(_ status: JSONValue) -> [String] {
        let journal = status["journal"] ?? .null
        var lines = [
            row("station", station(status) + (status["versionNote"].map { "\n\(indent)→ \(text($0))" } ?? "")),
            row("camera", camera(status["camera"] ?? .null)),
            row("trigger", trigger(status)), row("torch", torch(status["torch"] ?? .null)),
            row("journal", String(OutputsText.journal(journal).dropFirst("journal ".count))),
        ]
        let outputs = status["outputs"]?.arrayValue ?? []
        lines += outputs.enumerated().flatMap { output($0.element, isFirst: $0.offset == 0) }
        if outputs.isEmpty { lines.append(row("outputs", "none")) }
        let lost = (status["lines"]?.arrayValue ?? []).filter { $0["held"]?.boolValue == false }
        lines += lost.map { row("line", "\(text($0["role"])) \(text($0["line"])): \(text($0["problem"]))") }
        if let problem = status["readers"]?["problem"] { lines.append(row("readers", text(problem))) }
        lines += unread(status["unread"]?.arrayValue ?? [])
        lines.append(row("so far", counters(status)))
        if let day = status["days"]?.arrayValue?.last, let times = self.times(day) { lines.append(row("", times)) }
        if status["clock"]?.stringValue == "unsynced" { lines.append(row("clock", "not set: times can't be trusted")) }
        return lines
    }

    private static func station(_ status: JSONValue) -> String {
        var parts = ["\(text(status["name"])) (\(text(status["version"])))"]
        if let seconds = status["uptimeSeconds"]?.integerValue { parts.append("up \(duration(seconds))") }
        if status["simulated"]?.boolValue == true { parts.append("simulated lines") }
        return parts.joined(separator: ", ")
    }

    private static func camera(_ camera: JSONValue) -> String {
        var parts = [text(camera["state"])]
        if let resolution = camera["resolution"] {
            parts.append(text(resolution) + (camera["format"].map { " \(text($0))" } ?? ""))
        }
        if let rate = camera["frameRate"]?.doubleValue, rate.isFinite { parts.append("\(Int(min(rate, 1e6))) fps") }
        if let model = camera["model"], !text(model).isEmpty { parts.append(text(model)) }
        if let damaged = camera["framesDamaged"]?.integerValue, damaged > 0 {
            parts.append("\(damaged.counted("frame")) came damaged")
        }
        let remarks = (camera["detail"].map { [$0] } ?? []) + (camera["skipped"]?.arrayValue ?? [])
        return parts.joined(separator: ", ") + remarks.map { "\n\(indent)→ \(text($0))" }.joined()
    }

    private static func trigger(_ status: JSONValue) -> String {
        if status["paused"]?.boolValue == true { return "\(text(status["mode"])), paused: `scanstation ctl resume`" }
        if let session = status["session"]?["id"]?.integerValue {
            return "\(text(status["mode"])), session \(session) is reading"
        }
        let waiting = status["awaitingConfirmation"]?.stringValue.map { _ in ", a scan waits for its confirmation" }
        return text(status["mode"]) + (waiting ?? "")
    }

    private static func torch(_ torch: JSONValue) -> String {
        guard torch["hasTorch"]?.boolValue == true else { return "none" }
        let level = torch["isTorchActive"]?.boolValue == true ? "lit" : "dark"
        let why = torch["detail"].map { "\n\(indent)→ \(text($0))" } ?? ""
        return "\(level), mode \(text(torch["mode"]))\(why)"
    }

    private static func output(_ output: JSONValue, isFirst: Bool) -> [String] {
        let lag = output["lag"]?.integerValue ?? 0
        var parts = ["\(text(output["name"])) \(text(output["state"]))"]
        if lag > 0 { parts.append(lag.counted("scan waits", "scans wait")) }
        if let refused = output["refused"]?.integerValue, refused > 0 { parts.append("\(refused) refused") }
        let line = row(isFirst ? "outputs" : "", parts.joined(separator: ", "))
        return [line] + (output["detail"].map { ["\(indent)→ \(text($0))"] } ?? [])
    }

    private static func counters(_ status: JSONValue) -> String {
        let counters = status["counters"]
        func count(_ key: String, _ one: String, _ many: String) -> String {
            let number = counters?[key]?.integerValue ?? 0
            return number.counted(one, many)
        }
        var parts = [
            count("scans", "scan", "scans"), count("noReads", "no-read", "no-reads"),
            count("sessions", "session", "sessions"),
        ]
        if let last = status["lastScan"], let number = last["seq"]?.integerValue {
            parts.append("the last #\(number) \(text(last["symbology"]))")
        }
        return parts.joined(separator: ", ")
    }

    private static func unread(_ codes: [JSONValue]) -> [String] {
        codes.enumerated().flatMap { index, code in
            [row(index == 0 ? "not read" : "", text(code["text"])), "\(indent)→ \(text(code["advice"]))"]
        }
    }

    /// Nothing before the first scan of a session.
    private static func times(_ day: JSONValue) -> String? {
        guard let times = day["timeToRead"], let count = times["count"]?.integerValue,
            let median = times["medianMs"]?.doubleValue, let late = times["p95Ms"]?.doubleValue
        else { return nil }
        func seconds(_ milliseconds: Double) -> String {
            let hundredths = Int64((min(max(milliseconds, 0), 1e9) / 10).rounded())
            return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
        }
        return "\(text(day["date"])): from trigger to scan \(seconds(median)), 95 % within \(seconds(late)) "
            + "(\(count.counted("session", "sessions")))"
    }

    private static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    private static let labelColumns = 9
    private static let indent = String(repeating: " ", count: labelColumns)

    private static func row(_ label: String, _ text: String) -> String {
        PanelScreen.pad(label, labelColumns) + text
    }

    private static func text(_ value: JSONValue?) -> String {
        value?.stringValue.map { TerminalText.escape($0, limit: 4_000) } ?? "?"
    }
}
