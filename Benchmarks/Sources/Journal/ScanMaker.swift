import Glibc
import Payloads
import Vocabulary
import Wire

/// Scans as a station makes them, without a camera: another text each, about as long as those of a shop.
struct ScanMaker {
    private let interpreter = PayloadInterpreter()
    private let boot = "3f0d1f0e-2a6b-4d0a-9d0a-5b1c8b7a6c5d"
    private(set) var count: UInt64 = 0

    mutating func next() -> Event {
        count += 1
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let wall = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        let instant = Instant(nanoseconds: Int64(Clock.now * 1e9))
        let text = "BOX-2026-\(10_000_000 + count)"
        let symbol = Symbol(
            symbology: .code128, aim: "]C0", bytes: Array(text.utf8), text: text,
            corners: Quad(
                Point(x: 0.25, y: 0.4), Point(x: 0.75, y: 0.4), Point(x: 0.75, y: 0.6), Point(x: 0.25, y: 0.6)))
        let frame = FrameInfo(sequence: count, exposedAt: instant, deliveredAt: instant, label: "03-code128.png")
        let scan = Scan(
            id: UUIDv7(wallNanoseconds: wall, random: .random(in: .min ... .max)).description, sequence: 0,
            acceptedAt: instant, trigger: .continuous, session: 0, symbol: symbol, reads: 1, frame: frame,
            decodeTime: .milliseconds(3))
        return Event(
            stamp: Stamp(wallNanoseconds: wall, isClockSynced: true, boot: boot, station: "bench"),
            body: .scan(ScanEvent(scan: scan, payload: interpreter.interpret(symbol))))
    }
}
