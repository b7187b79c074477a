import Wire

/// The colour of an event's line on a terminal.
enum EventPaint {
    static func style(_ event: JSONValue) -> Paint.Style {
        switch event["type"]?.stringValue {
        case "scan": .bold
        case "error": .red
        case "noRead", "unread": .yellow
        case "answer": answer(event)
        case "receipt": event["outcome"] == "accepted" ? .dim : .yellow
        case "state": state(event)
        default: .plain
        }
    }

    private static func answer(_ event: JSONValue) -> Paint.Style {
        switch event["verdict"]?.stringValue {
        case "accepted": .green
        case "refused": .red
        default: .yellow
        }
    }

    /// Something is wrong.
    private static let troubles: Set<String> = [
        "waiting", "stalled", "failed", "full", "unavailable", "lost", "inUse", "permissionDenied", "storageSlow",
        "systemPressure",
    ]

    private static func state(_ event: JSONValue) -> Paint.Style {
        event["state"]?.stringValue.map(troubles.contains) == true ? .yellow : .dim
    }
}
