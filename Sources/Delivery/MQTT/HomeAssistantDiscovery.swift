import Wire

/// The message that makes the station appear in Home Assistant: one device with all its entities, as the MQTT integration supports it since
/// 2024.11 ("device discovery": `dev`, `o` and `cmps` with a platform `p` each). Older versions ignore it.
///
/// | component | is |
/// |---|---|
/// | `tag` | tag scanner: each text scanned, as for NFC tags; not an entity |
/// | `scan` | event entity: each scan |
/// | `notice` | event entity: nothing read, the host's verdict, errors |
/// | `last_scan` | sensor: the latest text, cut to 255 characters, with symbology, id and time as attributes |
/// | `torch` | light, with `auto` and `session` as effects; if there is a torch |
/// | `trigger` | button; if sessions are started from outside |
/// | `camera` | diagnostic sensor: the camera's state |
///
/// Automations act on the first three, so these get only fresh events (`MQTTTopics.freshScan`): when a broker comes back after hours,
/// nobody wants a door to open, or a list to fill, for each scan from that time.
struct HomeAssistantDiscovery: Sendable {
    var topics: MQTTTopics
    var station: String
    var version: String
    var hasTorch: Bool
    var isTriggered: Bool
    /// Whether the station obeys commands from the broker: no light and no button otherwise.
    var obeys: Bool

    var payload: JSONValue {
        [
            "dev": [
                "ids": .array([.string("scanstation_\(topics.stationID)")]), "name": .string(station),
                "mf": "ScanStation", "mdl": "Barcode scanner", "sw": .string(version),
            ],
            "o": ["name": "scanstation", "sw": .string(version)],
            "avty": ["topic": .string(topics.availability)],
            "cmps": .object(components),
        ]
    }

    /// By ids that stay the same over versions: Home Assistant removes components that are no longer listed.
    private var components: [String: JSONValue] {
        var components = [
            "tag": tag, "scan": scan, "notice": notice, "last_scan": lastScan, "camera": camera,
        ]
        if obeys, hasTorch { components["torch"] = torch }
        if obeys, isTriggered { components["trigger"] = trigger }
        return components
    }

    /// A tag scanner isn't an entity: it takes no name, id or availability.
    private var tag: JSONValue {
        // `or ''`: a text that is null would be a tag named None; an empty one is ignored.
        ["p": "tag", "topic": .string(topics.freshScan), "value_template": "{{ value_json.text or '' }}"]
    }

    private var scan: JSONValue {
        entity(
            "event", "scan", "Scan",
            [
                "state_topic": .string(topics.freshScan), "event_types": ["scan"], "icon": "mdi:barcode-scan",
                "value_template": .string(
                    "{{ {'event_type': 'scan', 'text': value_json.text, 'symbology': value_json.symbology, "
                        + "'kind': value_json.payload.kind, 'id': value_json.id, 'seq': value_json.seq, "
                        + "'time': value_json.time} | tojson }}"),
            ])
    }

    private var notice: JSONValue {
        entity(
            "event", "notice", "Notice",
            [
                "state_topic": .string(topics.freshEvent),
                "event_types": ["no_read", "accepted", "refused", "unanswered", "error"],
                "value_template": .string(
                    "{{ {'event_type': {'noRead': 'no_read', 'accepted': 'accepted', 'refused': 'refused', "
                        + "'none': 'unanswered'}[value_json.verdict | default(value_json.type)] | default('error'), "
                        + Self.fields("reason", "part", "message", "scan", "seq", "by", "late", "relay")
                        + ", 'time': value_json.time} | tojson }}"),
            ])
    }

    private var lastScan: JSONValue {
        entity(
            "sensor", "last_scan", "Last scan",
            [
                "state_topic": .string(topics.lastScan), "value_template": "{{ value_json.text }}",
                "json_attributes_topic": .string(topics.lastScan), "icon": "mdi:barcode",
                // The same code twice is two scans.
                "force_update": true,
            ])
    }

    private var torch: JSONValue {
        entity(
            "light", "torch", "Torch",
            [
                "schema": "json", "state_topic": .string(topics.torch),
                "command_topic": .string(topics.torchCommand), "supported_color_modes": ["onoff"], "effect": true,
                "effect_list": ["auto", "session"], "icon": "mdi:flashlight",
            ])
    }

    private var trigger: JSONValue {
        entity(
            "button", "trigger", "Trigger",
            ["command_topic": .string(topics.trigger), "payload_press": "PRESS", "icon": "mdi:line-scan"])
    }

    private var camera: JSONValue {
        entity(
            "sensor", "camera", "Camera",
            [
                "state_topic": .string(topics.state(of: "camera")), "value_template": "{{ value_json.state }}",
                "json_attributes_topic": .string(topics.state(of: "camera")), "entity_category": "diagnostic",
                "icon": "mdi:camera",
            ])
    }

    /// Members of a template's dictionary: these fields of the event; none for a field that it lacks.
    private static func fields(_ names: String...) -> String {
        names.map { "'\($0)': value_json.\($0) | default(none)" }.joined(separator: ", ")
    }

    private func entity(
        _ platform: String, _ id: String, _ name: String, _ fields: [String: JSONValue]
    ) -> JSONValue {
        var fields = fields
        fields["p"] = .string(platform)
        fields["unique_id"] = .string("scanstation_\(topics.stationID)_\(id)")
        fields["name"] = .string(name)
        return .object(fields)
    }
}
