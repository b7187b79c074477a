import Synchronization
import Wire

@testable import Delivery

/// An output whose answers the test gives, one by one, when it wants.
final class FakeOutput: Output {
    let name: String
    let batchLimit: Int
    let states: AsyncStream<OutputStatus>
    /// What was offered, in order; a retry appears again.
    let offers: AsyncStream<Event>
    private let stateSink: AsyncStream<OutputStatus>.Continuation
    private let offerSink: AsyncStream<Event>.Continuation
    private let answers: AsyncStream<Receipt>
    private let answerSink: AsyncStream<Receipt>.Continuation
    private let isStopped = Mutex(false)
    private let count = Mutex(0)
    private let wanted: @Sendable (Event) -> Bool

    init(_ name: String, batchLimit: Int = 1, wants: @escaping @Sendable (Event) -> Bool = { _ in true }) {
        self.name = name
        self.batchLimit = batchLimit
        wanted = wants
        (states, stateSink) = AsyncStream.makeStream()
        (offers, offerSink) = AsyncStream.makeStream()
        (answers, answerSink) = AsyncStream.makeStream()
    }

    func answer(_ receipts: Receipt...) { for receipt in receipts { answerSink.yield(receipt) } }

    func announce(_ state: OutputState, _ detail: String? = nil) {
        stateSink.yield(OutputStatus(state, detail: detail))
    }

    /// Events that were offered so far.
    var offered: Int { count.withLock { $0 } }
    var wasStopped: Bool { isStopped.withLock { $0 } }

    func wants(_ event: Event) -> Bool { wanted(event) }
    func start() async {}

    func deliver(_ event: Event) async -> Receipt {
        count.withLock { $0 += 1 }
        offerSink.yield(event)
        for await answer in answers { return answer }
        return .failed(reason: "stopped", retry: true)
    }

    func stop() async {
        isStopped.withLock { $0 = true }
        answerSink.finish()
        stateSink.finish()
        offerSink.finish()
    }

    func report() async -> OutputReport { OutputReport(name: name, kind: "fake", status: OutputStatus(.ready)) }
}

extension Event {
    var sequence: UInt64? {
        if case .scan(let body) = body { body.scan.sequence } else { nil }
    }
}
