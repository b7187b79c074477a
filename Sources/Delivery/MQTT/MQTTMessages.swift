import Settings
import Vocabulary
import Wire

/// What is published for an event.
struct MQTTMessages: Sendable {
    /// Home Assistant's limit for a state.
    static let maxStateCharacters = 255

    let topics: MQTTTopics
    let secrets: SecretPolicy
    /// Whether `PREFIX/torch` is kept up to date.
    let hasTorch: Bool

    func wants(_ event: Event) -> Bool {
        switch event.body {
        case .scan, .noRead, .unread, .answer, .error: true
        case .state(let state): MQTTTopics.lastingParts.contains(state.part)
        case .receipt: false
        }
    }

    /// The message whose PUBACK is the event's receipt.
    func main(_ event: Event) -> MQTTClient.Publication? {
        switch event.body {
        case .scan: MQTTClient.Publication(topic: topics.scan, payload: line(event))
        case .noRead, .unread, .answer, .error: MQTTClient.Publication(topic: topics.event, payload: line(event))
        case .state, .receipt: nil
        }
    }

    /// The same for receivers that act on it; published only while the event is fresh.
    func fresh(_ event: Event) -> MQTTClient.Publication? {
        switch event.body {
        case .scan: MQTTClient.Publication(topic: topics.freshScan, payload: line(event))
        case .noRead, .answer, .error: MQTTClient.Publication(topic: topics.freshEvent, payload: line(event))
        // Nothing acts on it.
        case .unread, .state, .receipt: nil
        }
    }

    /// The retained messages that a state event replaces.
    func lasting(_ event: Event) -> [MQTTClient.Publication] {
        guard case .state(let state) = event.body else { return [] }
        var publications = [
            MQTTClient.Publication(topic: topics.state(of: state.part), payload: line(event), isRetained: true)
        ]
        if hasTorch, state.part == "torch" {
            publications.append(
                MQTTClient.Publication(topic: topics.torch, payload: Self.light(state).bytes, isRetained: true))
        }
        return publications
    }

    /// A short form of the latest scan, for a broker to keep.
    func lastScan(_ event: Event) -> MQTTClient.Publication? {
        guard case .scan(let body) = event.body else { return nil }
        let isWithheld = secrets == .withheld && body.payload.holdsSecret
        let symbol = body.scan.symbol
        // Home Assistant ignores an empty state: it would go on showing the previous scan.
        let text = isWithheld ? "(redacted)" : symbol.text.map { $0.isEmpty ? "(empty)" : $0 } ?? "(no text)"
        let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maxStateCharacters)))
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        for (key, value) in [
            ("text", cut), ("symbology", symbol.symbology.rawValue), ("kind", body.payload.kind), ("id", body.scan.id),
            ("time", WallTime.rfc3339(nanoseconds: event.stamp.wallNanoseconds)),
        ] {
            json.key(key)
            json.string(value)
        }
        json.key("seq")
        json.unsigned(body.scan.sequence)
        json.endObject()
        return MQTTClient.Publication(topic: topics.lastScan, payload: json.bytes, isRetained: true)
    }

    /// A light in Home Assistant's JSON schema: `state` is the line's level, `effect` says what decides on it.
    private static func light(_ state: StateEvent) -> JSONValue {
        var light: [String: JSONValue] = ["state": state.state == "on" ? "ON" : "OFF"]
        if let mode = state.fields["mode"]?.stringValue, mode == "auto" || mode == "session" {
            light["effect"] = .string(mode)
        } else {
            light["effect"] = .null
        }
        return .object(light)
    }

    /// Without NDJSON's line feed: a message has its own end.
    private func line(_ event: Event) -> [UInt8] {
        var line = event.line(secrets: secrets)
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        return line
    }
}
