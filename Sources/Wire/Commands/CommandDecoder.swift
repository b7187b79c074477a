import Vocabulary

/// Turns what a client or a host says into a command, or into a sentence that says what to send instead. Unknown fields are
/// ignored. It is the one decoder of the host's answer, whichever way the answer comes: see `answer`.
package struct CommandDecoder: Sendable {
    package var limits: CommandLimits
    /// What to send, for complaints.
    private let example: String

    package init(limits: CommandLimits = CommandLimits(), example: String = "{\"command\":\"status\"}") {
        self.limits = limits
        self.example = example
    }

    package func decode(_ line: some Collection<UInt8>) -> Result<DecodedCommand, CommandError> {
        let json: JSONValue
        do {
            let bounds = JSONLimits(maxDepth: limits.maxDepth, maxBytes: limits.maxLineBytes)
            json = try JSONValue(parsing: line, limits: bounds)
        } catch {
            return .failure(CommandError(message: "\(error); \(advice)"))
        }
        return decode(json: json)
    }

    package func decode(json: JSONValue) -> Result<DecodedCommand, CommandError> {
        let tag = json["tag"]
        guard case .object(let members) = json else {
            return .failure(CommandError(message: "\(json.typeName) isn't a command; \(advice)"))
        }
        let said = json["accept"]?.boolValue
        guard let name: JSONValue = members["command"] ?? said.map({ $0 ? "accept" : "refuse" }) else {
            let problem =
                members["accept"].map { "\"accept\" must be true or false, not \($0.typeName)" }
                ?? "\"command\" is missing"
            return .failure(CommandError(message: "\(problem); \(advice)", tag: tag))
        }
        guard case .string(let name) = name else {
            let message = "\"command\" must be a string, not \(name.typeName)"
            return .failure(CommandError(message: message, tag: tag))
        }
        guard let kind = CommandKind(rawValue: name) else {
            let shown = name.prefix(scalars: limits.maxTextLength)
            return .failure(CommandError(message: CommandDecoder.unknown(shown), command: shown, tag: tag))
        }
        do {
            let fields = CommandFields(members: members, command: name, limits: limits)
            return .success(DecodedCommand(command: try command(kind, fields), tag: tag))
        } catch {
            return .failure(CommandError(message: error.message, command: name, tag: tag))
        }
    }

    private var advice: String { "send one JSON object per line, such as \(example)" }

    private static func unknown(_ name: String) -> String {
        let hint = Spelling.nearest(to: name, among: Command.names).map { ", did you mean \"\($0)\"?" } ?? "."
        return "unknown command \"\(name)\"\(hint) Commands are: \(Command.names.joined(separator: ", "))"
    }

    private func command(_ kind: CommandKind, _ fields: CommandFields) throws(CommandFields.Problem) -> Command {
        switch kind {
        case .status: .status
        case .trigger: .trigger
        case .release: .release
        case .confirm: .confirm
        case .ack: .ack(id: try fields.required("id"))
        case .accept: try answer(fields, isAccepted: true)
        case .refuse: try answer(fields, isAccepted: false)
        case .torch: .torch(try fields.choice("mode"))
        case .focus: .focus(try focusPoint(fields))
        case .camera: .camera(id: try fields.required("id"))
        case .viewport: .viewport(try viewport(fields))
        case .pause: .pause
        case .resume: .resume
        case .relay: .relay(try fields.pulse("durationMs"))
        case .set: .set(try settings(fields))
        case .change:
            .change(
                try settings(fields), revision: try fields.required("revision"), author: fields.note("author"))
        case .keep: .keep(revision: try fields.text("revision"))
        case .takeBack: .takeBack
        case .cameras: .cameras
        case .lines: .lines
        case .subscribe:
            .subscribe(
                types: try eventTypes(fields), after: try fields.sequence("after"), journal: try fields.text("journal"),
                secrets: try fields.optionalChoice("secrets"))
        case .hello:
            .hello(
                ConsoleHello(
                    version: try fields.text("console"),
                    viewers: try fields.whole("viewers", in: 0...ConsoleHello.mostViewers),
                    port: try fields.whole("port", in: 1...65_535), isOnNetwork: try fields.flag("network")))
        case .preview:
            .preview(
                PreviewRequest(
                    after: try fields.frame("after"),
                    maxWidth: try fields.whole("maxWidth", in: PreviewRequest.widths)
                        ?? PreviewRequest.widths.upperBound
                ))
        case .identify: .identify
        case .scans:
            .scans(
                ScanQuery(
                    before: try fields.sequence("before"), limit: try fields.whole("limit", in: ScanQuery.limits) ?? 50,
                    text: try fields.text("text"), kind: try fields.text("kind"),
                    symbology: try fields.text("symbology"), from: try fields.time("from"), to: try fields.time("to"),
                    receipt: try fields.optionalChoice("receipt"), secrets: .withheld))
        case .scan: .scan(id: try fields.required("id"), secrets: .withheld)
        case .sendAgain: .sendAgain(id: try fields.required("id"), output: try fields.required("output"))
        case .testScan: .testScan(output: try fields.required("output"))
        case .outputs: .outputs
        case .doctor: .doctor
        case .schema: .schema
        case .aim: .aim(try aim(fields))
        case .firstPassword:
            .firstPassword(
                FirstPasswordRequest(
                    step: try fields.choice("step"), code: try code(fields, "code"),
                    replaces: fields.members["replaces"] == nil ? nil : try code(fields, "replaces"),
                    from: try fields.text("from")))
        }
    }

    /// `"on"` may be left out.
    private func aim(_ fields: CommandFields) throws(CommandFields.Problem) -> AimRequest {
        let isHeard = try fields.flag("buzzer") ?? true
        return try fields.flag("on") ?? true ? (isHeard ? .buzzer : .look) : .off
    }

    private func code(
        _ fields: CommandFields, _ name: String
    ) throws(CommandFields.Problem) -> FirstPasswordCode {
        guard let code = FirstPasswordCode(digits: try fields.required(name)) else {
            throw fields.problem("\"\(name)\" must be \(FirstPasswordCode.digitCount) hexadecimal digits")
        }
        return code
    }

    private func focusPoint(_ fields: CommandFields) throws(CommandFields.Problem) -> Point? {
        guard let point = try fields.numbers("x", "y", in: 0...1) else { return nil }
        return Point(x: point[0], y: point[1])
    }

    private func viewport(_ fields: CommandFields) throws(CommandFields.Problem) -> Viewport {
        let rule: Viewport.Rule = try fields.choice("rule", default: .centre)
        guard let sides = try fields.numbers("x", "y", "width", "height", in: 0...1) else {
            return Viewport(rule: rule)
        }
        let rect = Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        // Sums such as 0.7 + 0.3 may be a hair above 1.
        let tolerance = 1e-9
        guard rect.width > 0, rect.height > 0, rect.right <= 1 + tolerance, rect.bottom <= 1 + tolerance else {
            throw fields.problem(
                "the viewport must lie in the frame: width and height above 0, x + width and y + height at most 1")
        }
        return Viewport(rect: rect, rule: rule)
    }

    /// The host's answer: `{"command":"accept"}`, or `{"accept":true}` without a command, with the fields `id`, `relay` and
    /// `reason`.
    ///
    /// It fails closed: a `relay` that can't be read is an error, never a pulse and never an accept that the configured pulse
    /// may follow. A refusal stands whatever `relay` and `reason` are: if it were lost, the allow-list would decide about the door.
    private func answer(_ fields: CommandFields, isAccepted: Bool) throws(CommandFields.Problem) -> Command {
        if let said = fields.members["accept"], said.boolValue != isAccepted {
            throw fields.problem(
                "\"accept\" is \(said.boolValue.map { "\($0)" } ?? said.typeName), which contradicts it")
        }
        let id = fields.members["id"] == nil ? nil : try fields.required("id")
        guard isAccepted else { return .refuse(id: id, reason: fields.note("reason")) }
        if let isWanted = fields.members["relay"]?.boolValue {
            return .accept(id: id, relay: isWanted ? .pulse(nil) : .none)
        }
        return .accept(
            id: id, relay: try fields.pulse("relay", or: "true, false or ").map(RelayWish.pulse) ?? .asConfigured)
    }

    private func settings(_ fields: CommandFields) throws(CommandFields.Problem) -> [String: JSONValue] {
        guard let values = fields.members["values"], case .object(let settings) = values, !settings.isEmpty else {
            throw fields.problem(
                "\"values\" must be an object of settings, such as {\"command\":\"set\",\"values\":{\"torch.mode\":\"auto\"}}"
            )
        }
        guard settings.count <= limits.maxSettings else {
            throw fields.problem("\(settings.count) settings at once are more than the limit of \(limits.maxSettings)")
        }
        return settings
    }

    private func shown(_ value: JSONValue) -> String {
        value.stringValue.map { "\"\($0.prefix(scalars: limits.maxTextLength))\"" } ?? value.typeName
    }

    private func eventTypes(_ fields: CommandFields) throws(CommandFields.Problem) -> [String] {
        guard let types = fields.members["types"] else { return [] }
        guard case .array(let types) = types else {
            throw fields.problem("\"types\" must be an array of event types, not \(types.typeName)")
        }
        var names: [String] = []
        for type in types {
            guard case .string(let name) = type, Event.types.contains(name) else {
                throw fields.problem(
                    "\(shown(type)) is not an event type; they are: \(Event.types.joined(separator: ", "))")
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}
