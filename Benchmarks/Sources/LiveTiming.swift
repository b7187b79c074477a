import CImage
import Decoding
import Foundation
import ReaderProtocol
import Reading
import Settings
import Vocabulary

/// Times one kind of read of one picture, in this process, taking turns with ZXing's defaults on the same picture, so that a change in the
/// machine's pace affects both.
struct LiveTiming {
    var what: String
    var path: String
    var repetitions: Int

    func measureAndPrint() -> Int32 {
        var image = CImage_Luma()
        guard Int(CImage_load(path, 100_000_000, &image, nil, 0)) == CIMAGE_OK, let pixels = image.pixels,
            let effort
        else { return 1 }
        defer { CImage_free(&image) }
        let view = LumaView(
            base: pixels, size: FrameSize(width: Int(image.width), height: Int(image.height)),
            rowStride: Int(image.width))
        // What a station reads by default.
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        let read = { _ = engine.read(view, effort: effort) }
        let defaults = { _ = DecoderDefaults.zxing(view) }
        // The first run warms caches and allocators.
        _ = milliseconds(of: "ours", read)
        _ = milliseconds(of: "defaults", defaults)
        var times: [Double] = []
        var peers: [Double] = []
        for _ in 0..<max(repetitions, 1) {
            times.append(milliseconds(of: "ours", read))
            peers.append(milliseconds(of: "defaults", defaults))
        }
        print("took \(times.median) of \(peers.median)")
        return 0
    }

    /// Processor time. Says before whose it is, in case it aborts.
    private func milliseconds(of name: String, _ body: () -> Void) -> Double {
        print(name)
        fflush(nil)
        let start = clock()
        body()
        return Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
    }

    /// `quick:TURN` or `thorough:TURN`.
    private var effort: ReadEffort? {
        let parts = what.split(separator: ":")
        guard parts.count == 2, let turn = UInt32(parts[1]) else { return nil }
        return parts[0] == "quick" ? .quick(turn: turn) : .thorough(turn: turn)
    }
}
