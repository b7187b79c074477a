import Settings
import Vocabulary
import Yams

extension Codec where Value == FrameSize {
    /// `1280x720`.
    static func frameSize(_ side: ClosedRange<Int>) -> Codec {
        Codec(
            takes: "a size such as 1280x720, each side from \(side.lowerBound) to \(side.upperBound)",
            parse: { FrameSize(text: $0, side: side) }, write: \.description)
    }
}

extension Codec where Value == SensorMode {
    /// `2304x1296`, or `2304x1296:10` with the bit depth.
    static func sensorMode(_ side: ClosedRange<Int>) -> Codec {
        Codec(
            takes: "a sensor mode such as 2304x1296 or, with its bit depth, 2304x1296:10",
            parse: { text in
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count <= 2, let size = FrameSize(text: parts[0], side: side) else { return nil }
                guard parts.count == 2 else { return SensorMode(size: size) }
                guard let depth = Int(parts[1]), (8...16).contains(depth) else { return nil }
                return SensorMode(size: size, bitDepth: depth)
            },
            write: { mode in mode.size.description + (mode.bitDepth.map { ":\($0)" } ?? "") })
    }
}

extension Codec where Value == Viewport {
    /// `full`, `centre 50% 30%` (width and height, around the middle), either with a rule behind it, or the four numbers.
    static var viewport: Codec {
        let takes = "full, \"centre 50% 30%\" (width, height), or {x, y, width, height, rule} with numbers from 0 to 1"
        return Codec(
            takes: takes,
            read: { node, path, findings in
                guard node.mapping != nil else {
                    if let viewport = node.scalarText.flatMap(Viewport.init(text:)) { return viewport }
                    findings.reject(node, path, takes: takes)
                    return nil
                }
                var viewport = Viewport.full
                StationSchema.viewport.read(node, path, into: &viewport, isNew: true, &findings)
                // Thirds that people round up add up to a little more than 1.
                let slack = 1e-6
                if viewport.rect.right > 1 + slack || viewport.rect.bottom > 1 + slack {
                    findings.error(
                        "\(path) reaches beyond the frame: x + width and y + height must be at most 1", at: node)
                    return nil
                }
                return viewport
            },
            write: { viewport in
                guard viewport.rect == .unit else { return StationSchema.viewport.flow(viewport) }
                return viewport.rule == .centre ? "full" : "full \(viewport.rule.rawValue)"
            })
    }
}

extension FrameSize {
    fileprivate init?(text: some StringProtocol, side: ClosedRange<Int>) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        guard side.contains(width), side.contains(height) else { return nil }
        self.init(width: width, height: height)
    }
}

extension Viewport {
    fileprivate init?(text: String) {
        var words = text.split(separator: " ")
        var rule = Rule.centre
        if words.count > 1, let last = words.last, let given = Rule(rawValue: String(last)) {
            rule = given
            words.removeLast()
        }
        if words == ["full"] {
            self.init(rule: rule)
            return
        }
        guard words.count == 3, words[0] == "centre" || words[0] == "center" else { return nil }
        guard let width = Self.fraction(words[1]), let height = Self.fraction(words[2]) else { return nil }
        let rect = Rect(x: (1 - width) / 2, y: (1 - height) / 2, width: width, height: height)
        self.init(rect: rect, rule: rule)
    }

    /// `50%`, more than 0 and at most 100.
    private static func fraction(_ text: Substring) -> Double? {
        guard text.hasSuffix("%"), let percent: Double = NumberText.parse(text.dropLast()) else { return nil }
        return percent > 0 && percent <= 100 ? percent / 100 : nil
    }
}

extension Section {
    /// The whole section on one line; what isn't set is left out.
    func flow(_ value: Value) -> String {
        YAMLText.mapping(
            outline(value).compactMap { key in
                if case .value(let text) = key.content, !key.isOff { return (key.name, text) }
                return nil
            })
    }
}
