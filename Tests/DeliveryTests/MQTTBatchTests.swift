import ControlSupport
import Testing
import Wire

@testable import Delivery

@Suite("Events under way to a broker") struct MQTTBatchTests {
    private let events = (1...3).map { Fixtures.scan(UInt64($0)) }

    private func sent() -> MQTTBatch {
        var batch = MQTTBatch(events)
        for place in events.indices { batch.sent(place, as: Int32(10 + place)) }
        return batch
    }

    @Test("It is done when each message is confirmed, in whatever order")
    func order() {
        var batch = sent()
        for id: Int32 in [12, 10] {
            #expect(batch.settle(message: id, .accepted) != nil)
            #expect(!batch.isDone)
        }
        #expect(batch.settle(message: 11, .accepted) == events[1])
        #expect(batch.isDone)
        #expect(batch.conclusion.receipts == [.accepted, .accepted, .accepted])
        #expect(batch.conclusion.accepted == events)
    }

    @Test("A confirmation of something else, or a second one, is no event's")
    func stranger() {
        var batch = sent()
        #expect(batch.settle(message: 99, .accepted) == nil)
        _ = batch.settle(message: 10, .accepted)
        #expect(!batch.isWaiting(for: 10))
        #expect(batch.settle(message: 10, .failed(reason: "late", retry: true)) == nil)
        batch.failOutstanding("lost")
        #expect(batch.conclusion.receipts.first == .accepted)
    }

    @Test("When the connection is lost, those up to the first unconfirmed one count, though a later one was confirmed")
    func lost() {
        var batch = sent()
        _ = batch.settle(message: 10, .accepted)
        _ = batch.settle(message: 12, .accepted)
        batch.failOutstanding("lost")
        #expect(batch.isDone)
        #expect(batch.conclusion.receipts == [.accepted, .failed(reason: "lost", retry: true)])
        #expect(batch.conclusion.accepted == [events[0]])
    }

    @Test("After a refused one, none is the broker's for good: both are offered again")
    func refused() {
        var batch = sent()
        #expect(batch.settle(message: 10, .accepted) == events[0])
        #expect(batch.settle(message: 11, .failed(reason: "quota", retry: true)) == nil)
        #expect(batch.settle(message: 12, .accepted) == nil)
        #expect(batch.isDone)
        #expect(batch.conclusion.receipts == [.accepted, .failed(reason: "quota", retry: true)])
    }

    @Test("One that couldn't be sent ends the receipts")
    func unsent() {
        var batch = MQTTBatch(events)
        batch.settle(0, .accepted)
        batch.settle(1, .failed(reason: "too large", retry: false))
        #expect(batch.isDone)
        #expect(batch.conclusion.receipts == [.accepted, .failed(reason: "too large", retry: false)])
    }
}
