import Testing

@testable import Capture

@Suite("Frame pace")
struct FramePaceTests {
    private let interval: Int64 = 100

    @Test("Frames are due at absolute times; late ones are skipped and counted")
    func pace() {
        var pace = FramePace(now: 1000)
        pace.next(interval)
        #expect(pace.deadline(now: 1010, interval) == 1100)
        #expect(pace.deadline(now: 1100, interval) == nil)
        #expect(pace.skip(now: 1105, interval) == 0)
        pace.next(interval)
        #expect(pace.due == 1200)
        #expect(pace.skip(now: 1450, interval) == 2)
        #expect(pace.due == 1400)
    }

    @Test("Another frame rate counts for the frame that is waited for")
    func change() {
        var pace = FramePace(now: 0)
        pace.next(interval)
        pace.change(20)
        #expect(pace.deadline(now: 10, 20) == 20)
    }

    @Test("A clock that goes back costs one interval, one that goes on the frames between; nothing overflows")
    func steps() {
        var pace = FramePace(now: 1 << 40)
        pace.next(interval)
        #expect(pace.deadline(now: -5, interval) == 95)
        #expect(pace.deadline(now: .min, interval) == .min + interval)
        #expect(pace.deadline(now: .max, interval) == nil)
        #expect(pace.skip(now: .max, interval) > 0)
        pace.next(interval)
        #expect(pace.deadline(now: .max, interval) == nil)
    }
}
