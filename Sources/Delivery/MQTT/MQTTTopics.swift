import Settings
import Vocabulary

/// The topics of one station; `PREFIX` is the setting `topic`, with `{station}` replaced.
///
/// | topic | what | QoS | retained |
/// |---|---|---|---|
/// | `PREFIX/scan` | every scan, the event as JSON (wire format) | 1 | no |
/// | `PREFIX/last_scan` | the latest scan, short: `text` (at most 255 characters), `symbology`, `kind`, `id`, `seq`, `time` | 1 | yes |
/// | `PREFIX/event` | what else happened: `noRead`, `unread`, `answer` and `error` events as JSON | 1 | no |
/// | `PREFIX/fresh/scan`, `PREFIX/fresh/event` | the same once more, if it is fresh when the broker confirms it: for what acts on it | 1 | no |
/// | `PREFIX/state/PART` | the latest state event of `camera`, `torch`, `station`, `journal` | 1 | yes |
/// | `PREFIX/torch` | `{"state":"ON","effect":"auto"}`: the torch as Home Assistant has lights | 1 | yes |
/// | `PREFIX/availability` | `online`, `offline`; the last will | 1 | yes |
/// | `PREFIX/reply` | the answer to each command, as on the control socket | 1 | no |
///
/// If `commands` is on, the station listens to these. Retained messages are ignored there, so that nothing old acts:
///
/// | topic | what |
/// |---|---|
/// | `PREFIX/torch/set` | `ON`, `OFF`, `auto`, `session`, or `{"state":"ON","effect":"auto"}` |
/// | `PREFIX/trigger` | `PRESS`, or `{"command":"trigger"}`, `release`, `confirm` |
/// | `PREFIX/answer` | the host's answer: `{"id":SCAN,"accept":true,"reason":TEXT,"relay":true}`; `relay` may be `"500ms"` |
///
/// With `discovery` on, it announces itself on `homeassistant/device/ID/config`, retained, and again whenever Home Assistant says on
/// `homeassistant/status` that it has started.
struct MQTTTopics: Hashable, Sendable {
    /// MQTT's limit for a topic is 65,535 bytes; brokers have lower ones, and the longest suffix needs room.
    static let maxPrefixBytes = 255
    /// Parts whose state lasts: a broker keeps the latest.
    static let lastingParts: Set<String> = ["camera", "torch", "station", "journal"]

    let prefix: String
    let discoveryPrefix: String
    /// The station's name in a form that MQTT client ids, Home Assistant's object ids and topics allow: `[A-Za-z0-9_-]`, unique.
    let stationID: String

    init(_ settings: MQTTSettings, station: String) {
        stationID = Self.identifier(of: station)
        prefix = settings.topic.replacing("{station}", with: Self.level(of: station))
        discoveryPrefix = settings.discoveryPrefix
    }

    /// `place`: the section with these settings (`outputs[1].mqtt`).
    func problems(with settings: MQTTSettings, at place: String) -> [SettingProblem] {
        var topics = [("\(place).topic", prefix)]
        if settings.discovery { topics.append(("\(place).discoveryPrefix", discoveryPrefix)) }
        return topics.compactMap { path, topic in Self.problem(with: topic).map { SettingProblem(at: path, $0) } }
    }

    var scan: String { "\(prefix)/scan" }
    var lastScan: String { "\(prefix)/last_scan" }
    var event: String { "\(prefix)/event" }
    /// Only events that are fresh enough to act on: a backlog never comes here.
    var freshScan: String { "\(prefix)/fresh/scan" }
    var freshEvent: String { "\(prefix)/fresh/event" }
    var torch: String { "\(prefix)/torch" }
    var availability: String { "\(prefix)/availability" }
    var reply: String { "\(prefix)/reply" }
    var torchCommand: String { "\(prefix)/torch/set" }
    var trigger: String { "\(prefix)/trigger" }
    var answer: String { "\(prefix)/answer" }

    func state(of part: String) -> String { "\(prefix)/state/\(part)" }

    /// The device's one discovery message.
    var discovery: String { "\(discoveryPrefix)/device/\(stationID)/config" }
    /// Where Home Assistant says `online`: the second is its default, whatever the discovery prefix is.
    var births: Set<String> { ["\(discoveryPrefix)/status", "homeassistant/status"] }

    /// One level of a topic: separators, wildcards, white space and control characters become `_`, and so does a leading `$`,
    /// with which the broker's own topics begin.
    static func level(of name: String) -> String {
        var level = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            let isUnfit =
                "/+#".unicodeScalars.contains(scalar) || properties.isWhitespace
                || properties.generalCategory == .control || properties.isNoncharacterCodePoint
                || (scalar == "$" && level.isEmpty)
            level.append(isUnfit ? "_" : scalar)
        }
        return level.isEmpty ? "_" : String(level)
    }

    /// Letters, digits, `_` and `-`. A name that had to be changed gets a number made from the whole name, so that `dock 1` and `dock/1`
    /// stay two stations.
    static func identifier(of name: String) -> String {
        let fit = name.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "_") }.prefix(maxIdentifierBytes)
        let identifier = String(decoding: fit, as: UTF8.self)
        guard identifier != name || name.isEmpty else { return identifier }
        return "\(identifier)-\(String(fingerprint(of: name), radix: 16))"
    }

    /// Every broker must take client ids of up to 23 bytes (MQTT 3.1.1, 3.1.3.1); every known broker takes longer ones.
    private static let maxIdentifierBytes = 40

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// FNV-1a, 32 bits: the same on every start, unlike Swift's own hashes.
    private static func fingerprint(of name: String) -> UInt32 {
        name.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    private static func problem(with topic: String) -> String? {
        func bad(_ what: String) -> String { "\"\(topic)\" \(what)" }
        if topic.isEmpty { return bad("is empty; give a topic such as scanstation/{station}") }
        if topic.contains("+") || topic.contains("#") {
            return bad("has a wildcard (+ or #): the station publishes there, so it must be one topic")
        }
        if topic.utf8.contains(0) { return bad("has a NUL character, which no topic may have") }
        if topic.hasPrefix("$") { return bad("begins with $: those topics are the broker's own") }
        if topic.split(separator: "/", omittingEmptySubsequences: false).contains("") {
            return bad("has an empty level: no / at its beginning or end, and no two in a row")
        }
        if topic.utf8.count > maxPrefixBytes {
            return "it has \(topic.utf8.count) bytes, more than the limit of \(maxPrefixBytes)"
        }
        guard MQTTClient.isValidTopic(topic) else {
            return bad(
                "has a character that MQTT doesn't allow: a control character, or a code point that isn't a character")
        }
        return nil
    }
}
