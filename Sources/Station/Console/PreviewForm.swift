import Payloads
import Reading
import Vocabulary
import Wire

/// How a preview looks on the wire; `docs/console.md` describes the fields.
struct PreviewForm {
    /// What is known about a code besides its symbol.
    struct Code {
        var symbol: Symbol
        /// Its text isn't shown: it contains a password or a secret.
        var isWithheld: Bool
        /// The id of the scan that it became.
        var scan: String?
        /// It waits for a person's confirmation.
        var waits: Bool
    }

    var preview: Preview
    var codes: [Code]
    /// Each with the exposure of the frame that its corners are of.
    var unread: [(code: UnreadCode, exposedAt: Instant)]

    var json: JSONValue {
        let info = preview.info
        let viewport = preview.viewport
        return .object([
            "seq": .count(info.sequence),
            "width": .integer(Int64(preview.size.width)), "height": .integer(Int64(preview.size.height)),
            "bytes": .integer(Int64(preview.pixels.count)),
            "frame": .object([
                "width": .integer(Int64(preview.frame.width)), "height": .integer(Int64(preview.frame.height)),
            ]),
            "exposedMs": milliseconds(info.exposedAt),
            "deliveredMs": milliseconds(info.deliveredAt),
            "viewport": .object([
                "x": .number(viewport.rect.x), "y": .number(viewport.rect.y), "width": .number(viewport.rect.width),
                "height": .number(viewport.rect.height), "rule": .string(viewport.rule.rawValue),
            ]),
            "read": .bool(preview.isRead), "codes": .array(codes.map(json)),
            "unread": .array(unread.map(json)),
            "sharpness": figure(preview.sharpness, 1000),
            "light": light, "modulePixels": figure(modulePixels, 100), "movement": figure(preview.movement, 100),
            "exposureMs": figure(info.exposureMicroseconds.map { Double($0) / 1000 }, 1000),
            "gain": figure(info.gain.map(Double.init), 1000), "lux": figure(info.lux.map(Double.init), 100),
            "lens": figure(info.lensPosition.map(Double.init), 1000),
        ])
    }

    /// That of the smallest code, read or unread, since that is the one that needs the camera nearer.
    private var modulePixels: Double? {
        (unread.map(\.code.moduleWidth) + [preview.modulePixels]).compactMap(\.self).min()
    }

    private func json(_ code: Code) -> JSONValue {
        .object([
            "corners": .array(
                code.symbol.corners.points.map { .array([figure($0.x, 100_000), figure($0.y, 100_000)]) }),
            "symbology": .string(code.symbol.symbology.rawValue),
            "text": code.isWithheld ? .null : code.symbol.text.map(JSONValue.string) ?? .null,
            "withheld": .bool(code.isWithheld), "scan": code.scan.map(JSONValue.string) ?? .null,
            "waits": .bool(code.waits),
        ])
    }

    private var light: JSONValue {
        let light = preview.light
        return .object([
            "mean": figure(light.mean, 10), "dark": figure(light.dark, 10_000), "bright": figure(light.bright, 10_000),
            "histogram": .array(light.histogram.map { .integer(Int64($0)) }),
        ])
    }

    private func json(_ unread: (code: UnreadCode, exposedAt: Instant)) -> JSONValue {
        var fields = unread.code.json.objectValue ?? [:]
        fields["exposedMs"] = milliseconds(unread.exposedAt)
        return .object(fields)
    }

    private func milliseconds(_ instant: Instant) -> JSONValue { .number(Double(instant.nanoseconds) / 1_000_000) }

    private func figure(_ value: Double?, _ scale: Double) -> JSONValue {
        value.map { .number(($0 * scale).rounded() / scale) } ?? .null
    }
}
