import Glibc
import Linux
import TestSupport
import Testing
import Vocabulary

@Suite("Event loop", .timeLimit(.minutes(10)))
struct EventLoopTests {
    /// An actor on a loop, as the outputs are.
    private actor Counter {
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        nonisolated let loop: EventLoop
        private(set) var count = 0
        private var threads: Set<UInt> = []

        init(lingerMilliseconds: Int32) { loop = EventLoop(lingerMilliseconds: lingerMilliseconds) }

        func increment() {
            count += 1
            threads.insert(pthread_self())
        }

        /// Sets timers with these waits, and returns their numbers in the order in which they fired.
        func fire(_ waits: [Duration], cancelling cancelled: Int) async -> [Int] {
            let (fired, sink) = AsyncStream<Int>.makeStream()
            let now = Instant.now
            let ids = waits.enumerated().map { number, wait in
                loop.setTimer(at: now.advanced(by: wait)) { sink.yield(number) }
            }
            loop.cancelTimer(ids[cancelled])
            return await fired.next(waits.count - 1)
        }

        /// What poll says of a descriptor, `count` times.
        func ready(_ descriptor: Int32, events: Int32, count: Int) async -> [Int16] {
            let (seen, sink) = AsyncStream<Int16>.makeStream()
            let watch = loop.watch(descriptor, events: events) { sink.yield($0) }
            defer { loop.unwatch(watch) }
            return await seen.next(count)
        }
    }

    @Test("No job is lost, whether the thread lingers or ends after each", arguments: [0, 1, 1000] as [Int32])
    func everyJob(linger: Int32) async {
        let counter = Counter(lingerMilliseconds: linger)
        for _ in 0..<200 {
            await counter.increment()
            await Task.yield()
        }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<250 { await counter.increment() } }
            }
        }
        #expect(await counter.count == 2200)
    }

    @Test("The thread ends when there is nothing to wait for, and comes back with the next job")
    func endsWhenIdle() async {
        let counter = Counter(lingerMilliseconds: 0)
        await counter.increment()
        await turns { !counter.loop.isRunning }
        await counter.increment()
        #expect(await counter.count == 2)
    }

    @Test("Timers fire in order of time, cancelled ones never")
    func timers() async {
        let counter = Counter(lingerMilliseconds: 0)
        let order = await counter.fire(
            [.milliseconds(9), .milliseconds(1), .milliseconds(3), .zero, .milliseconds(5)], cancelling: 2)
        #expect(order == [3, 1, 4, 0])
    }

    @Test("A watch reports data, and a hang-up even if nothing was asked for")
    func watches() async {
        let pipe = Pipe()
        let counter = Counter(lingerMilliseconds: 0)
        await pipe.writeEnd.write("x")
        #expect(await counter.ready(pipe.reader.number, events: POLLIN, count: 1) == [Int16(POLLIN)])
        pipe.reader.close()
        #expect(await counter.ready(pipe.writeEnd.number, events: 0, count: 1) == [Int16(POLLERR)])
    }
}
