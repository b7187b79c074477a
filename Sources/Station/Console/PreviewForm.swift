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
    var unread: [UnreadCode]

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
            "exposedMs": .number(Double(info.exposedAt.nanoseconds) / 1_000_000),
            "deliveredMs": .number(Double(info.deliveredAt.nanoseconds) / 1_000_000),
            "viewport": .object([
                "x": .number(viewport.rect.x), "y": .number(viewport.rect.y), "width": .number(viewport.rect.width),
                "height": .number(viewport.rect.height), "rule": .string(viewport.rule.rawValue),
            ]),
            "read": .bool(preview.isRead), "codes": .array(codes.map(json)),
            "unread": .array(unread.map(\.json)),
            "sharpness": figure(preview.sharpness, 1000), "sharpnessPeak": figure(preview.sharpnessPeak, 1000),
            "light": light, "modulePixels": figure(modulePixels, 100), "movement": figure(preview.movement, 100),
            "exposureMs": figure(info.exposureMicroseconds.map { Double($0) / 1000 }, 1000),
            "gain": figure(info.gain.map(Double.init), 1000), "lux": figure(info.lux.map(Double.init), 100),
            "lens": figure(info.lensPosition.map(Double.init), 1000),
        ])
    }

    /// Of the smallest code, since that is the one that needs the camera nearer.
    private var modulePixels: Double? {
        (codes.compactMap { Self.modulePixels(of: $0.symbol, preview.frame) } + unread.compactMap(\.moduleWidth)).min()
    }

    /// Only where the symbology says how many modules a code is wide (GS1 General Specifications, 5.2).
    static func modulePixels(of symbol: Symbol, _ frame: FrameSize) -> Double? {
        let modules: Double
        switch symbol.symbology {
        case .ean13, .upcA: modules = 95
        case .ean8: modules = 67
        case .upcE: modules = 51
        default: return nil
        }
        let (left, right) = (symbol.corners.topLeft, symbol.corners.topRight)
        let (x, y) = ((right.x - left.x) * Double(frame.width), (right.y - left.y) * Double(frame.height))
        return (x * x + y * y).squareRoot() / modules
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

    private func figure(_ value: Double?, _ scale: Double) -> JSONValue {
        value.map { .number(($0 * scale).rounded() / scale) } ?? .null
    }
}
