import Payloads

/// An event or a reply as one readable line for a terminal (`watch`, `scan`): `08:14:40.125 +02:00  #42 qr_code "https://…"  url`.
///
/// It takes the parsed line, so that it works with stations of other versions; it trusts nothing in it. A code with a password shows what
/// it is for instead of its text.
package enum HumanLine {
    /// No newline at the end, and none inside. The day is left out: people who watch know it.
    package static func render(_ line: JSONValue, in zone: LocalTime.Zone = LocalTime.system) -> String {
        var parts: [String] = []
        if let time = line["time"]?.stringValue { parts.append(LocalTime.time(time, in: zone)) }
        switch line["type"]?.stringValue {
        case "scan": parts += scan(line)
        case "noRead": parts += noRead(line)
        case "unread": parts += unread(line)
        case "state": parts += state(line)
        case "receipt": parts += receipt(line)
        case "answer": parts += answer(line)
        case "error": parts += error(line)
        case "reply": parts += reply(line)
        default: parts.append(TerminalText.escape(line.description))
        }
        return parts.joined(separator: "  ")
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.stringValue.map { TerminalText.escape($0) }
    }

    private static func scan(_ line: JSONValue) -> [String] {
        var parts: [String] = []
        let number = line["seq"]?.integerValue.map { "#\($0)" }
        parts.append([number, text(line["symbology"]) ?? "unknown code"].compactMap { $0 }.joined(separator: " "))
        let payload = line["payload"]
        if let content = content(line) { parts.append(content) }
        if let payload, let summary = PayloadSummary.text(payload) { parts.append(summary) }
        if let addOn = text(line["addOn"]) { parts.append("add-on \(addOn)") }
        if line["inverted"]?.boolValue == true { parts.append("inverted") }
        if let label = text(line["frame"]?["label"]) { parts.append("in \(label)") }
        return parts
    }

    /// What the code contains; `nil` if it may contain a secret. A link is shown without its password.
    private static func content(_ line: JSONValue) -> String? {
        let payload = line["payload"]
        switch payload?["kind"]?.stringValue {
        case "wifi", "otp", "secret": return nil
        case "url":
            if let link = payload?["url"]?.stringValue, link.contains(Secret.redacted) {
                return "\"\(TerminalText.escape(link))\""
            }
        default: break
        }
        if let text = text(line["text"]) { return "\"\(text)\"" }
        let count = line["bytes"]?.stringValue.flatMap(Base64.decode)?.count ?? 0
        return "(\(count) bytes that aren't text)"
    }

    private static func noRead(_ line: JSONValue) -> [String] {
        let milliseconds = line["durationMs"]?.doubleValue ?? 0
        let tenths = Int64((min(max(milliseconds, 0), 1e12) / 100).rounded())
        let parts = ["no read: \(text(line["reason"]) ?? "unknown")", "after \(tenths / 10).\(tenths % 10) s"]
        return parts + (line["unread"].map { [unreadCode($0)] } ?? [])
    }

    private static func unread(_ line: JSONValue) -> [String] {
        guard let codes = line["codes"]?.arrayValue, !codes.isEmpty else { return ["no unread codes any more"] }
        return ["not read:"] + codes.map(unreadCode)
    }

    private static func unreadCode(_ code: JSONValue) -> String {
        [text(code["text"]) ?? "a code", text(code["advice"])].compactMap(\.self).joined(separator: "; ")
    }

    private static func state(_ line: JSONValue) -> [String] {
        var parts = ["\(text(line["part"]) ?? "?"): \(text(line["state"]) ?? "?")"]
        if let reason = text(line["reason"]) { parts.append("(\(reason))") }
        if let detail = text(line["detail"]) { parts.append(detail) }
        return parts
    }

    private static func receipt(_ line: JSONValue) -> [String] {
        let verb = text(line["outcome"]) ?? (line["accepted"]?.boolValue == true ? "accepted" : "refused")
        let number = line["seq"]?.integerValue.map { "#\($0)" } ?? text(line["scan"]) ?? "a scan"
        var parts = ["\(text(line["output"]) ?? "?") \(verb) \(number)"]
        if let reason = text(line["reason"]) { parts.append(reason) }
        return parts
    }

    private static func answer(_ line: JSONValue) -> [String] {
        let number = line["seq"]?.integerValue.map { "#\($0)" } ?? text(line["scan"]) ?? "a scan"
        let verdict = text(line["verdict"]) ?? "?"
        guard verdict != "none" else { return ["\(number): no host answered in time"] }
        let isLate = line["late"]?.boolValue == true
        var parts = [
            "\(number) \(verdict) by \(text(line["by"]) ?? "the host")\(isLate ? " (too late for the relay)" : "")"
        ]
        if let reason = text(line["reason"]) { parts.append(reason) }
        if line["relay"]?.boolValue == true { parts.append("relay pulsed") }
        return parts
    }

    private static func error(_ line: JSONValue) -> [String] {
        ["error in \(text(line["part"]) ?? "?"): \(text(line["message"]) ?? text(line["code"]) ?? "?")"]
    }

    private static func reply(_ line: JSONValue) -> [String] {
        let command = text(line["command"]) ?? ""
        if line["ok"]?.boolValue == true { return ["\(command): done"] }
        return ["\(command.isEmpty ? "command" : command): \(text(line["error"]) ?? "failed")"]
    }
}
