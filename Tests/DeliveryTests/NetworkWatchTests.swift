import Glibc
import Linux
import Testing

@testable import Delivery

@Suite("Network watch", .timeLimit(.minutes(10)))
struct NetworkWatchTests {
    @Test("Many kernel messages at once are one change, and the next ones another")
    func gathers() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
        let (kernel, mine) = (Descriptor(ends[0]), Descriptor(ends[1]))
        mine.makeNonBlocking()
        let (words, sink) = AsyncStream.makeStream(of: Void.self)
        let watch = NetworkWatch(gatheringTime: .milliseconds(1)) { sink.yield() }
        for _ in 0..<10 { _ = kernel.write([1, 2, 3], from: 0) }
        await watch.start(reading: mine)
        var iterator = words.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        _ = kernel.write([4], from: 0)
        try #require(await iterator.next() != nil)
        await watch.stop()
        sink.finish()
        // Ten messages that came at once don't count as ten changes.
        #expect(await iterator.next() == nil)
    }

    @Test("The kernel gives the socket, and closing it ends the watch")
    func kernel() async {
        let watch = NetworkWatch {}
        #expect(await watch.start())
        await watch.stop()
    }
}
