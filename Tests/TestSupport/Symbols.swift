import Vocabulary

extension Instant {
    /// Milliseconds since boot, which is how these tests count.
    package static func ms(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}

extension Quad {
    /// An upright code of a tenth of the frame around (x, y).
    package static func at(_ x: Double, _ y: Double, width: Double = 0.1, height: Double = 0.1) -> Quad {
        let (w, h) = (width / 2, height / 2)
        return Quad(
            Point(x: x - w, y: y - h), Point(x: x + w, y: y - h), Point(x: x + w, y: y + h),
            Point(x: x - w, y: y + h))
    }
}

/// A symbol in the middle of the frame unless told otherwise; one of ZXing's is beyond doubt.
package func symbol(
    _ text: String, _ symbology: Symbology = .qrCode, at place: Quad = .at(0.5, 0.5), content: UInt64 = 0,
    pass: UInt8 = 0, decoder: Evidence.Decoder = .zxing, addOn: String? = nil
) -> Symbol {
    Symbol(
        symbology: symbology, bytes: Array(text.utf8), text: text, corners: place, addOn: addOn,
        evidence: Evidence(decoder: decoder, pass: pass, strength: decoder == .zxing ? 32 : 0, content: content))
}

/// Frames at 100 a second: frame n is exposed at 10 n ms.
package func frame(_ sequence: UInt64, exposedAt: Instant? = nil) -> FrameInfo {
    let exposed = exposedAt ?? .ms(Int64(sequence) * 10)
    return FrameInfo(sequence: sequence, exposedAt: exposed, deliveredAt: exposed.advanced(by: .milliseconds(5)))
}

package func read(
    _ sequence: UInt64, _ symbols: [Symbol] = [], outcome: ReadResult.Outcome = .decoded, isThorough: Bool = false,
    exposedAt: Instant? = nil, places: [CodePlace] = [], refuted: [RefutedCode] = []
) -> ReadResult {
    ReadResult(
        frame: frame(sequence, exposedAt: exposedAt), outcome: outcome, isThorough: isThorough, symbols: symbols,
        places: places, refuted: refuted, decodeTime: outcome == .decoded ? .milliseconds(3) : .zero)
}
