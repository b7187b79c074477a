import Foundation
import Reading
import Settings
import Vocabulary

/// The cost of a frame that the change gate holds back: the copy into the ring and the decision, on the camera's thread.
struct GateTiming {
    /// Frames that are timed; the median counts.
    static let frames = 300

    /// Milliseconds per held-back frame; `nil` when the gate never closed on this picture. Throws when the reader processes don't start, or
    /// give no results.
    static func measure(_ frame: LiveFrame) async throws -> Double? {
        let reader = Reader(settings: ReadingSettings(), margin: 0.05) { _ in }
        let size = FrameSize(width: LiveFrame.width, height: LiveFrame.height)
        do { try await reader.start(size: size) } catch {
            throw BenchmarkFailure(
                "held-back frames can't be timed: \(error); build scanstation-reader beside this program")
        }
        do {
            let median = try await time(frame, by: reader)
            await reader.stop()
            return median
        } catch {
            await reader.stop()
            throw error
        }
    }

    private static func time(_ frame: LiveFrame, by reader: Reader) async throws -> Double? {
        var results = reader.results.makeAsyncIterator()
        var sequence: UInt64 = 0
        // The gate closes when every turn has seen the picture.
        var isHeld = false
        while !isHeld, sequence < 1000 {
            deliver(frame, sequence, to: reader)
            sequence += 1
            var next = await results.next(isolation: nil)
            while next?.isRead == false { next = await results.next(isolation: nil) }
            guard let result = next else { throw BenchmarkFailure("the readers ended while frames were timed") }
            isHeld = result.outcome == .unchanged || result.outcome == .blank
        }
        guard isHeld else { return nil }
        var times: [Double] = []
        for _ in 0..<frames {
            let started = Clock.now
            deliver(frame, sequence, to: reader)
            times.append((Clock.now - started) * 1000)
            sequence += 1
        }
        return times.median
    }

    private static func deliver(_ frame: LiveFrame, _ sequence: UInt64, to reader: Reader) {
        let now = Instant(nanoseconds: Int64(Clock.now * 1e9))
        frame.pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            reader.sink.receive(
                LumaFrame(
                    base: base, size: FrameSize(width: LiveFrame.width, height: LiveFrame.height),
                    rowStride: LiveFrame.width,
                    info: FrameInfo(sequence: sequence, exposedAt: now, deliveredAt: now)))
        }
    }
}
