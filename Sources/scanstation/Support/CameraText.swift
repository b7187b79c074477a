import Wire

/// A camera of the `cameras` reply as a person reads it: its id, then what it offers, one item per line.
enum CameraText {
    static func render(_ camera: JSONValue) -> String {
        var lines = [text(camera["id"]) ?? "?"]
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            lines.append("  \(PanelScreen.pad(name, 12))  \(value)")
        }
        add("model", text(camera["model"]))
        add("location", text(camera["location"]))
        if let rotation = camera["rotation"]?.integerValue, rotation != 0 { add("mounted", "turned by \(rotation)°") }
        add("pixels", text(camera["pixelArray"]))
        add("sensor modes", list(camera["sensorModes"]))
        for format in camera["formats"]?.arrayValue ?? [] {
            let isRange = format["range"]?.boolValue == true
            add(text(format["name"]) ?? "format", list(format["sizes"], separator: isRange ? " to " : ", "))
        }
        if case .object(let controls)? = camera["controls"] {
            for (name, range) in controls.sorted(by: { $0.key < $1.key }) {
                add(TerminalText.escape(name), text(range))
            }
        }
        add("problem", text(camera["problem"]))
        return lines.joined(separator: "\n")
    }

    private static func text(_ value: JSONValue?) -> String? { value?.stringValue.map { TerminalText.escape($0) } }

    private static func list(_ value: JSONValue?, separator: String = ", ") -> String? {
        value?.arrayValue?.compactMap(text).joined(separator: separator)
    }
}
