import Decoding
import ReaderProtocol
import Vocabulary

/// What the engine reads of a frame. It takes a second or two a frame, so it is kept in a file between runs (`KnownReadings`). Live turns look
/// at regions, too.
struct WholeReadings: Codable {
    /// One code, its corners in pixels of the frame, clockwise from its own top left: x, y, x, y…
    struct Code: Codable {
        var symbology: UInt8
        var bytes: [UInt8]
        var text: String?
        var corners: [Double]

        init(_ symbol: Symbol, in size: FrameSize) {
            symbology = symbol.symbology.code
            bytes = symbol.bytes
            text = symbol.text
            corners = symbol.corners.points.flatMap { [$0.x * Double(size.width), $0.y * Double(size.height)] }
        }

        var quad: Quad {
            func point(_ index: Int) -> Point { Point(x: corners[2 * index], y: corners[2 * index + 1]) }
            return Quad(point(0), point(1), point(2), point(3))
        }

        var isLinear: Bool { Symbology(code: symbology)?.isLinear ?? false }

        var reading: PeerReading? {
            Symbology(code: symbology).map {
                PeerReading(symbology: $0, bytes: bytes, text: text, centre: quad.centre)
            }
        }
    }

    /// The still reader's.
    var still: [Code]
    /// The union of all live turns, quick and thorough.
    var live: [Code]

    init(_ luma: LumaView) {
        let engine = DecodeEngine(rules: Contestant.rules)
        still = engine.read(luma, effort: .exhaustive).map { Code($0, in: luma.size) }
        var union: [Code] = []
        let turns =
            (0..<engine.quickTurnCount).map { ReadEffort.quick(turn: UInt32($0)) }
            + (0..<engine.thoroughTurnCount).map { ReadEffort.thorough(turn: UInt32($0)) }
        for effort in turns {
            for symbol in engine.read(luma, effort: effort) {
                let code = Code(symbol, in: luma.size)
                let isKnown = union.contains { $0.symbology == code.symbology && $0.bytes == code.bytes }
                if !isKnown || !code.isLinear { union.append(code) }
            }
        }
        live = union
    }

    /// Whether all its codes can be used; a file may be damaged.
    var isWhole: Bool {
        (still + live).allSatisfy { Symbology(code: $0.symbology) != nil && $0.corners.count == 8 }
    }
}
