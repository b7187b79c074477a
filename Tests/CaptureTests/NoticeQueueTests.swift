import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(10))) struct NoticeQueueTests {
    @Test func `what didn't fit arrives as the number that was missed, before what is left`() async {
        let queue = NoticeQueue()
        for number in 0..<UInt64(NoticeQueue.depth + 3) { queue.add(.runStarted(number)) }
        #expect(await queue.next() == .missed(3))
        #expect(await queue.next() == .runStarted(3))
        queue.add(.cameraIsReady)
        for _ in 4..<NoticeQueue.depth + 3 { _ = await queue.next() }
        #expect(await queue.next() == .cameraIsReady)
    }

    @Test func `a reader that waits gets the next notice, and the end`() async {
        let queue = NoticeQueue()
        async let first = queue.next()
        queue.add(.cameraIsReady)
        #expect(await first == .cameraIsReady)
        async let second = queue.next()
        queue.finish()
        #expect(await second == nil)
        queue.add(.cameraIsReady)
        #expect(await queue.next() == nil)
    }

    @Test func `a queue that nobody reads any more says so`() {
        let dropped = Recorder<Bool>()
        do {
            let queue = NoticeQueue()
            queue.onDrop { dropped.add(true) }
            withExtendedLifetime(queue) { #expect(dropped.values == []) }
        }
        #expect(dropped.values == [true])
    }

    @Test func `notices end when their reader is cancelled`() async {
        let controller = CaptureController(
            settings: .init(), sink: CollectingSink(), system: FakeCameraSystem(clock: TestClock()), log: { _ in })
        let notices = await controller.notices()
        let reader = Task {
            var seen: [CaptureNotice] = []
            for await notice in notices { seen.append(notice) }
            return seen
        }
        reader.cancel()
        #expect(await reader.value == [])
        await controller.shutdown()
    }
}
