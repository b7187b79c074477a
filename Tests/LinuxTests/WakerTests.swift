import Dispatch
import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import Linux

@Suite("Waiting for descriptors, and being woken", .timeLimit(.minutes(10)))
struct WakerTests {
    @Test("What woke it is remembered until it is cleared")
    func cleared() {
        let waker = Waker()
        #expect(waker.failure == nil)
        #expect(!waker.clear() && !isReady(waker.descriptor))
        for _ in 0..<1000 { waker.wake() }
        #expect(isReady(waker.descriptor))
        #expect(waker.clear())
        #expect(!isReady(waker.descriptor) && !waker.clear())
    }

    @Test("A wait ends when its time comes, and says that nobody woke it")
    func timedOut() {
        let end = MonotonicClock.nanoseconds + 20_000_000
        #expect(!Waker().wait(untilMonotonic: end))
        #expect(MonotonicClock.nanoseconds >= end)
        #expect(!Waker().wait(untilMonotonic: 0))
    }

    @Test("A wait ends when another thread wakes it")
    func woken() async {
        let waker = Waker()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { waker.wake() }
        #expect(await blocking { waker.wait() })
        waker.wake()
        #expect(waker.wait(untilMonotonic: .max))
    }

    @Test("Of several descriptors, those that are ready are marked, and negative ones passed over")
    func several() {
        let (idle, woken) = (Waker(), Waker())
        var polled = [pollfd(-1), pollfd(idle.descriptor), pollfd(woken.descriptor)]
        #expect(!anyIsReady(&polled, until: .zero))
        #expect(!anyIsReady(&polled, until: Instant.now.advanced(by: .milliseconds(5))))
        woken.wake()
        #expect(anyIsReady(&polled))
        #expect(polled.map { $0.revents != 0 } == [false, false, true])
    }

    @Test("Waiting for one descriptor takes as long as it was told, to the millisecond above")
    func one() {
        let waker = Waker()
        let end = Instant.now.advanced(by: .microseconds(1500))
        #expect(!isReady(waker.descriptor, until: end) && Instant.now >= end)
        #expect(!isReady(waker.descriptor, within: .milliseconds(2)))
        waker.wake()
        #expect(isReady(waker.descriptor, until: nil))
        #expect(isReady(waker.descriptor, until: Instant(nanoseconds: .min)))
    }
}
