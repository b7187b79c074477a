import Journal
import Settings
import Vocabulary
import Wire

/// The table of `outputs`. Text from a station or a file is shown, not trusted.
enum OutputsText {
    static func journal(_ journal: JSONValue) -> String {
        let place = text(journal["path"]) ?? "in memory"
        let scans = journal["scans"]?.integerValue ?? 0
        let range = scans > 0 ? " (\(number(journal["first"])) to \(number(journal["last"])))" : ""
        let state = text(journal["state"]).map { ", \($0)" } ?? ""
        let detail = text(journal["detail"] ?? journal["warning"]).map { "\n  → \($0)" } ?? ""
        return "journal \(place): \(scans.counted("scan"))\(range)\(state)\(detail)"
    }

    /// From the `outputs` of a `status` reply; what is in an output's way is on the line below it.
    static func running(_ outputs: [JSONValue]) -> [String] {
        guard !outputs.isEmpty else { return [noOutputs] }
        let rows = outputs.map { output in
            [
                text(output["name"]) ?? "?", text(output["kind"]) ?? "", text(output["state"]) ?? "",
                text(output["mode"]) ?? "", yesNo(output["required"]), number(output["cursor"]), number(output["lag"]),
                number(output["refused"]),
            ]
        }
        let heading = ["OUTPUT", "KIND", "STATE", "MODE", "REQUIRED", "CURSOR", "LAG", "REFUSED"]
        let lines = TextTable.lines([heading] + rows)
        return lines.prefix(1) + zip(outputs, lines.dropFirst()).flatMap { [$1] + remarks(on: $0) }
    }

    private static let noOutputs = "no outputs: the configuration names none; events go to the control socket only"

    private static func remarks(on output: JSONValue) -> [String] {
        let detail = text(output["detail"])
        let error = text(output["lastError"])
        let time = output["lastErrorTime"]?.stringValue.map { LocalTime.dateAndTime($0) }
        var lines = detail.map { ["  → \($0)"] } ?? []
        if let error, error != detail {
            lines.append("  → last error\(time.map { " (\($0))" } ?? ""): \(error)")
        } else if error != nil, let time {
            lines[0] += " (\(time))"
        }
        return lines
    }

    /// What the journal knows, with what the configuration says about the output of that name.
    static func stored(_ output: JournalReport.Output, _ settings: StationSettings) -> JSONValue {
        var fields: [String: JSONValue] = [
            "name": .string(output.name), "required": .bool(output.isRequired),
            "cursor": .integer(Int64(clamping: output.cursor)), "lag": .integer(Int64(clamping: output.lag)),
            "refused": .integer(Int64(clamping: output.refused)),
            "skipped": .integer(Int64(clamping: output.skipped)),
            "undeliverable": .integer(Int64(clamping: output.undeliverable)),
            "lastRun": .bool(output.isActive),
        ]
        let configured = settings.outputs.first { $0.name == output.name }
        fields["configured"] = .bool(configured != nil)
        if let configured { fields["mode"] = .string(configured.deliveryMode.rawValue) }
        return .object(fields)
    }

    static func stored(_ outputs: [JSONValue]) -> [String] {
        guard !outputs.isEmpty else { return ["no output has been served from it yet"] }
        let heading = ["OUTPUT", "CONFIGURED", "REQUIRED", "CURSOR", "LAG", "REFUSED", "SKIPPED", "UNDELIVERABLE"]
        return TextTable.lines(
            [heading]
                + outputs.map { output in
                    [
                        text(output["name"]) ?? "?", yesNo(output["configured"]), yesNo(output["required"]),
                        number(output["cursor"]), number(output["lag"]), number(output["refused"]),
                        number(output["skipped"]), number(output["undeliverable"]),
                    ]
                })
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.stringValue.map { TerminalText.escape($0, limit: 4_000) }
    }

    private static func number(_ value: JSONValue?) -> String { value?.integerValue.map(String.init) ?? "-" }

    private static func yesNo(_ value: JSONValue?) -> String { value?.boolValue.map { $0 ? "yes" : "no" } ?? "-" }
}
