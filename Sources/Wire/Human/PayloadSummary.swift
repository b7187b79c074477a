/// A payload in a few words, for people; `nil` for plain text.
enum PayloadSummary {
    static func text(_ payload: JSONValue) -> String? {
        guard let kind = payload["kind"]?.stringValue, kind != "text" else { return nil }
        let said: String? =
            switch kind {
            case "url": payload["gs1"].flatMap(gs1)
            case "wifi": field(payload, "ssid").map { "network \"\($0)\" (\(field(payload, "security") ?? "unknown"))" }
            case "contact": payload["name"].flatMap { field($0, "formatted") }
            case "event": field(payload, "summary")
            case "geo": place(payload)
            case "phone": field(payload, "number")
            case "sms": list(payload, "numbers")
            case "email": list(payload, "to")
            case "bookmark": field(payload, "title")
            case "otp": field(payload, "account").map { "key for \"\(field(payload, "issuer") ?? "")\" \($0)" }
            case "gs1": gs1(payload)
            case "product": product(payload)
            case "secret": field(payload, "format")
            default: nil
            }
        let problems =
            payload["problems"]?.arrayValue?.first?.stringValue.map { " (!) \(TerminalText.escape($0))" } ?? ""
        return TerminalText.escape(kind) + (said.map { ": \($0)" } ?? "") + problems
    }

    private static func field(_ value: JSONValue, _ name: String) -> String? {
        value[name]?.stringValue.map { TerminalText.escape($0, limit: 100) }
    }

    private static func list(_ value: JSONValue, _ name: String) -> String? {
        value[name]?.arrayValue?.compactMap(\.stringValue).map { TerminalText.escape($0, limit: 100) }
            .joined(separator: ", ")
    }

    private static func place(_ payload: JSONValue) -> String? {
        guard let latitude = payload["latitude"]?.doubleValue, let longitude = payload["longitude"]?.doubleValue else {
            return nil
        }
        return "\(latitude), \(longitude)"
    }

    private static func gs1(_ payload: JSONValue) -> String? {
        payload["elements"]?.arrayValue?.map { element in
            "(\(field(element, "ai") ?? ""))\(field(element, "value") ?? "")"
        }.joined()
    }

    private static func product(_ payload: JSONValue) -> String? {
        if let isbn = field(payload, "isbn") { return "ISBN \(isbn)" }
        if let issn = field(payload, "issn") { return "ISSN \(issn)" }
        return field(payload, "gtin").map { "GTIN \($0)" }
    }
}
