import Decoding
import Foundation
import ReaderProtocol
import Vocabulary

/// What a user would write in ten lines, run in virtual time: ZBar's and ZXing's defaults on the newest frame, again and again.
struct TenLines {
    let camera: VirtualCamera
    let core: VirtualCore
    /// Frames on which a library is known to abort: left out, as if the author knew.
    let fatalFrames: Set<Int>
    /// Called before a frame is decoded, with its number.
    let willRead: (Int) -> Void

    private static let interval = 1 / VirtualCamera.framesPerSecond

    func run(frames: Int, onScan: (VirtualScan) -> Void) {
        var now = 0.0
        var next = 0
        while next < frames {
            // Waits for a newer frame if there is none yet. By rounding, the quotient may be less than the number that `now` was made of.
            now = max(now, Double(next) * Self.interval)
            let newest = max(next, min(Int(now / Self.interval), frames - 1))
            next = newest + 1
            guard !fatalFrames.contains(newest) else { continue }
            willRead(newest)
            let pixels = camera.frame(newest)
            let (symbols, cost) = core.run {
                ShownPicture.withLuma(of: pixels) { DecoderDefaults.zbar($0) + DecoderDefaults.zxing($0) } ?? []
            }
            now += cost.milliseconds / 1000
            guard now <= Double(frames) * Self.interval else { return }
            for symbol in symbols { onScan(VirtualScan(time: .seconds(now), symbol: symbol, frame: newest)) }
        }
    }
}
