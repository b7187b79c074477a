import CZBar
import CZXing
import ReaderProtocol
import Vocabulary

/// The decoders with their own defaults: what a program that just links them would read. The benchmarks' peers. ZXing-C++ 1.4 aborts the
/// process on some ordinary pictures.
package enum DecoderDefaults {
    /// Corners normalised to `luma`, 0…1; rows must be contiguous for ZBar.
    package static func zxing(_ luma: LumaView) -> [Symbol] {
        var found = CZXing_Symbols()
        let pixels = luma.base.assumingMemoryBound(to: UInt8.self)
        CZXing_read_defaults(
            pixels, Int32(luma.size.width), Int32(luma.size.height), Int32(luma.rowStride), &found, nil, 0)
        defer { CZXing_free(&found) }
        return UnsafeBufferPointer(start: found.items, count: found.count)
            .compactMap { PassReading($0, by: .identity) }.map { symbol($0, in: luma.size) }
    }

    package static func zbar(_ luma: LumaView) -> [Symbol] {
        var found = CZBar_Symbols()
        let pixels = luma.base.assumingMemoryBound(to: UInt8.self)
        CZBar_read_defaults(pixels, Int32(luma.size.width), Int32(luma.size.height), &found)
        defer { CZBar_free(&found) }
        return UnsafeBufferPointer(start: found.items, count: found.count)
            .compactMap { PassReading($0, by: .identity) }.map { symbol($0, in: luma.size) }
    }

    private static func symbol(_ reading: PassReading, in size: FrameSize) -> Symbol {
        let (width, height) = (Double(size.width), Double(size.height))
        return Symbol(
            symbology: reading.symbology, aim: reading.aim, bytes: reading.bytes, text: reading.text,
            corners: reading.corners.mapped { Point(x: $0.x / width, y: $0.y / height) })
    }
}
