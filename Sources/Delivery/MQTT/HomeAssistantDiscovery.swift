import Wire

/// The message that makes the station appear in Home Assistant: one device with all its entities, as its MQTT integration has
/// it since 2024.11 ("device discovery": `dev`, `o` and `cmps` with a platform `p` each). Older ones ignore it.
///
/// | component | is |
/// |---|---|
/// | `tag` | tag scanner: each text scanned, as for NFC tags; no entity |
/// | `scan` | event entity: each scan |
/// | `notice` | event entity: nothing read, and errors |
/// | `last_scan` | sensor: the latest text, cut to 255 characters, with symbology, id and time as attributes |
/// | `torch` | light, with `auto` and `session` as effects; if there is a torch |
/// | `trigger` | button; if sessions are started from outside |
/// | `camera` | diagnostic sensor: the camera's state |
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

    /// By the id that stays the same over versions: Home Assistant removes what it knew and isn't listed any more.
    private var components: [String: JSONValue] {
        var components = [
            "tag": tag, "scan": scan, "notice": notice, "last_scan": lastScan, "camera": camera,
        ]
        if obeys, hasTorch { components["torch"] = torch }
        if obeys, isTriggered { components["trigger"] = trigger }
        return components
    }

    /// A tag scanner is no entity: it takes no name, id or availability.
    private var tag: JSONValue {
        // `or ''`: a text that is null would be a tag named None; an empty one is ignored.
        ["p": "tag", "topic": .string(topics.scan), "value_template": "{{ value_json.text or '' }}"]
    }

    private var scan: JSONValue {
        entity(
            "event", "scan", "Scan",
            [
                "state_topic": .string(topics.scan), "event_types": ["scan"], "icon": "mdi:barcode-scan",
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
                "state_topic": .string(topics.event), "event_types": ["no_read", "answer", "error"],
                "value_template": .string(
                    "{{ {'event_type': 'no_read' if value_json.type == 'noRead' else value_json.type, "
                        + "'reason': value_json.reason | default(none), 'part': value_json.part | default(none), "
                        + "'message': value_json.message | default(none), 'time': value_json.time} | tojson }}"),
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
