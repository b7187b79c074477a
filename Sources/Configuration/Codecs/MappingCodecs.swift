import Settings
import Vocabulary
import Yams

extension Codec where Value == PWMChannel {
    private static var keys: Section<PWMChannel> {
        Section([
            Key("chip", \.chip, .whole(0...255), isRequired: true, "The pwmchip's number."),
            Key("channel", \.channel, .whole(0...255), isRequired: true, "The chip's channel."),
        ])
    }

    /// `{chip: 0, channel: 0}`.
    static var pwm: Codec {
        Codec(
            takes: "a mapping {chip: 0, channel: 0}",
            read: { node, path, findings in
                var value = PWMChannel(chip: 0, channel: 0)
                keys.read(node, path, into: &value, isNew: true, &findings)
                return value
            },
            write: { keys.flow($0) })
    }
}

/// The values of `ReplaySettings.Movement.simulated`.
private struct SimulatedMovement: Sendable {
    var pan = 0.0
    var zoom = 0.0
    var blur = 0.0
    var noise = 0.0
    var exposure = 0.0
    var seed: UInt64 = 1

    static let keys = Section<SimulatedMovement>([
        Key("pan", \.pan, .number(0...1), "How far the picture wanders."),
        Key("zoom", \.zoom, .number(0...1), "How much its size changes."),
        Key("blur", \.blur, .number(0...1), "How blurred it is."),
        Key("noise", \.noise, .number(0...1), "How noisy it is."),
        Key("exposure", \.exposure, .number(0...1), "How much the brightness changes."),
        Key("seed", \.seed, .seed, "The same seed gives the same movement."),
    ])
}

extension Codec where Value == ReplaySettings.Movement {
    /// `still`, or a mapping of what moves.
    static var movement: Codec {
        let takes = "still, or a mapping of pan, zoom, blur, noise, exposure (0 to 1) and seed"
        return Codec(
            takes: takes,
            read: { node, path, findings in
                guard node.mapping != nil else {
                    if node.scalarText == "still" { return .still }
                    findings.reject(node, path, takes: takes) { Spelling.advice(for: $0, among: ["still"]) }
                    return nil
                }
                var value = SimulatedMovement()
                SimulatedMovement.keys.read(node, path, into: &value, isNew: true, &findings)
                return .simulated(
                    pan: value.pan, zoom: value.zoom, blur: value.blur, noise: value.noise, exposure: value.exposure,
                    seed: value.seed)
            },
            write: { movement in
                guard case .simulated(let pan, let zoom, let blur, let noise, let exposure, let seed) = movement else {
                    return "still"
                }
                return SimulatedMovement.keys.flow(
                    SimulatedMovement(pan: pan, zoom: zoom, blur: blur, noise: noise, exposure: exposure, seed: seed))
            })
    }
}
