import ControlSupport
import Journal
import Linux
import Synchronization
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

@Suite("Delivery from the journal", .timeLimit(.minutes(10)))
struct JournalDeliveryTests {
    private let quick = RetryMachine.Policy(initial: .milliseconds(1), maximum: .milliseconds(5))
    private let never = RetryMachine.Policy(initial: .seconds(3600), maximum: .seconds(3600))

    private func dispatcher(
        _ output: any Output, _ journal: TestJournal, policy: DeliveryPolicy = DeliveryPolicy(),
        retry: RetryMachine.Policy? = nil, clock: MachineClock = .system
    ) -> Dispatcher {
        if journal.cursor(of: output.name) == nil { journal.setCursor(0, of: output.name) }
        return Dispatcher(outputs: [(output, policy)], journal: journal, retry: retry ?? quick, clock: clock)
    }

    @Test("Receipts are settled before they are reported, and before the next batch is taken")
    func settleFirst() async {
        let journal = TestJournal()
        let output = FakeOutput("a")
        let dispatcher = dispatcher(output, journal)
        journal.holdSettling()
        await dispatcher.start()
        await dispatcher.untilRegistered()
        output.answer(.accepted, .accepted)
        dispatcher.scan(journal)
        dispatcher.scan(journal)
        #expect(await journal.attempts.next(1).map(\.sequence) == [1])
        #expect(output.offered == 1)
        #expect(await dispatcher.reports()[0].cursor == 0)
        journal.release()
        #expect(await dispatcher.receipts.next(2).map(\.sequence) == [1, 2])
        #expect(journal.settlements.map(\.sequence) == [1, 2])
        await dispatcher.stop()
    }

    @Test("Receipts that the journal doesn't take are offered to it again; the scans aren't delivered again")
    func failingSettlement() async {
        let journal = TestJournal()
        let output = FakeOutput("a")
        let dispatcher = dispatcher(output, journal)
        journal.failSettling(5)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        output.answer(.accepted, .accepted)
        dispatcher.scan(journal)
        dispatcher.scan(journal)
        #expect(await dispatcher.receipts.next(2).map(\.sequence) == [1, 2])
        #expect(output.offered == 2)
        #expect(await dispatcher.reports()[0].lastError == "cannot note receipts in the journal: the disk says no")
        await dispatcher.stop()
    }

    @Test("While the journal takes no receipts, other events flow and scans wait")
    func volatileMeanwhile() async {
        let journal = TestJournal()
        let output = FakeOutput("a")
        let dispatcher = dispatcher(output, journal, retry: never)
        journal.failSettling(1)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for _ in 1...3 { output.answer(.accepted) }
        dispatcher.scan(journal)
        _ = await journal.attempts.next(1)
        dispatcher.submit(Fixtures.state())
        dispatcher.scan(journal)
        #expect(await output.offers.next(2).map(\.type) == ["scan", "state"])
        dispatcher.journalOpened()
        #expect(await dispatcher.receipts.next(2).map(\.sequence) == [1, 2])
        await dispatcher.stop()
    }

    @Test("A process that ends between delivery and settlement delivers again after its restart")
    func killedBefore() async {
        let journal = TestJournal()
        let first = FakeOutput("a")
        first.answer(.accepted)
        let killed = dispatcher(first, journal, retry: never)
        journal.failSettling(.max)
        await killed.start()
        await killed.untilRegistered()
        killed.scan(journal)
        _ = await journal.attempts.next(1)
        killed.scan(journal)
        await killed.stop(within: .zero)
        #expect(first.offered == 1)
        #expect(journal.cursor(of: "a") == 0)

        journal.failSettling(0)
        let second = FakeOutput("a")
        second.answer(.accepted, .accepted)
        let next = dispatcher(second, journal)
        await next.start()
        #expect(await next.receipts.next(2).map(\.sequence) == [1, 2])
        await next.stop()
    }

    @Test("100,000 scans that waited for a dead output arrive in order, with one settlement a batch")
    func catchesUp() async {
        let count = 100_000
        let journal = TestJournal(scans: count)
        journal.setCursor(0, of: "a")
        let output = CountingOutput("a", batchLimit: 200)
        let dispatcher = dispatcher(output, journal)
        let start = ContinuousClock.now
        await dispatcher.start()
        _ = await journal.settled.first { $0.sequence == UInt64(count) }
        let seconds = (ContinuousClock.now - start).milliseconds / 1000
        print("caught up with \(count) scans: \(Int(Double(count) / seconds)) a second (debug or release as built)")
        #expect(output.isInOrder)
        #expect(output.count == count)
        #expect(journal.settlements.count <= count / 100)
        #expect(journal.readings <= count / 100)
        await dispatcher.stop()
    }

    @Test("Scans that the journal dropped before an output came to them are counted, not waited for")
    func droppedByTheJournal() async {
        let journal = TestJournal(scans: 10)
        journal.setCursor(2, of: "a")
        journal.drop(6)
        let output = FakeOutput("a")
        for _ in 1...5 { output.answer(.accepted) }
        let dispatcher = dispatcher(output, journal, policy: DeliveryPolicy(isRequired: false))
        await dispatcher.start()
        await dispatcher.untilRegistered()
        #expect(await dispatcher.receipts.next(4).map(\.sequence) == [7, 8, 9, 10])
        #expect(await dispatcher.reports()[0].dropped == 4)
        journal.drop(4)
        dispatcher.scan(journal)
        #expect(await dispatcher.receipts.next(1).map(\.sequence) == [11])
        await dispatcher.stop()
    }

    @Test("The registration can be waited for: a scan kept after it is never missed by a new output")
    func registration() async {
        let journal = TestJournal(scans: 3, isOpen: false)
        let output = FakeOutput("new")
        output.answer(.accepted)
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal, retry: never)
        await dispatcher.start()
        async let registered: Void = dispatcher.untilRegistered()
        journal.setOpen(true)
        dispatcher.journalOpened()
        await registered
        #expect(journal.cursor(of: "new") == 3)
        dispatcher.scan(journal)
        #expect(await dispatcher.receipts.next(1).map(\.sequence) == [4])
        await dispatcher.untilRegistered()
        await dispatcher.stop()
    }

    @Test("Stopping ends the wait for a registration")
    func stoppedUnregistered() async {
        let dispatcher = dispatcher(FakeOutput("a"), TestJournal(isOpen: false), retry: never)
        await dispatcher.start()
        async let registered: Void = dispatcher.untilRegistered()
        await dispatcher.stop()
        await registered
    }

    // MARK: Live outputs

    /// 100 s after boot, synchronised, on boot "b".
    private let clock = Self.clock()

    private static func clock(isSynced: Bool = true) -> MachineClock {
        MachineClock(
            now: { Instant.zero.advanced(by: .seconds(100)) },
            wallNanoseconds: { Fixtures.stamp.wallNanoseconds + 100_000_000_000 }, isSynced: { isSynced }, boot: "b")
    }

    private let live = DeliveryPolicy(isRequired: false, mode: .live, maxAge: .seconds(2))

    private func accepted(_ second: Int) -> (inout Event) -> Void {
        { event in
            guard case .scan(var body) = event.body else { return }
            body.scan.acceptedAt = Instant.zero.advanced(by: .seconds(second))
            event.body = .scan(body)
        }
    }

    @Test("A live output skips what is too old, on record, with one settlement for a run of them")
    func live() async {
        let journal = TestJournal()
        journal.setCursor(0, of: "keyboard")
        for second in [10, 20, 97, 98, 99] { _ = journal.keep(accepted(second)) }
        let output = FakeOutput("keyboard")
        output.answer(.accepted, .accepted)
        let dispatcher = dispatcher(output, journal, policy: live, clock: clock)
        await dispatcher.start()
        let receipts = await dispatcher.receipts.next(5)
        #expect(receipts.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(receipts.map(\.isAccepted) == [false, false, false, true, true])
        #expect(receipts[0].reason == "90.0 s old when its turn came: more than maxAge, 2.0 s")
        #expect(journal.settlements.map(\.sequence) == [3, 4, 5])
        #expect(journal.settlements[0].exceptions.map(\.outcome) == [.skipped, .skipped, .skipped])
        #expect(output.offered == 2)
        await dispatcher.stop()
    }

    @Test("A live output that is dead meanwhile doesn't deliver what became too old")
    func liveRetry() async {
        let journal = TestJournal()
        let now = Mutex(Instant.zero)
        let clock = MachineClock(
            now: { now.withLock { $0 } }, wallNanoseconds: { 0 }, isSynced: { false }, boot: "b")
        let output = FakeOutput("keyboard")
        output.answer(.failed(reason: "unplugged", retry: true))
        let dispatcher = dispatcher(output, journal, policy: live, retry: never, clock: clock)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal)
        _ = await output.offers.next(1)
        await turns { await dispatcher.reports()[0].lastError != nil }
        now.withLock { $0 = $0.advanced(by: .seconds(3)) }
        dispatcher.conditionsChanged()
        #expect(await dispatcher.receipts.next(1).first?.isAccepted == false)
        #expect(output.offered == 1)
        await dispatcher.stop()
    }

    @Test("A desk's output gets only the scans of its own run; earlier ones are on record and not reported")
    func earlierRuns() async {
        let journal = TestJournal(scans: 3)
        journal.setCursor(1, of: "stdout")
        let output = FakeOutput("stdout")
        output.answer(.accepted)
        var policy = DeliveryPolicy()
        policy.skipsEarlierRuns = true
        let dispatcher = dispatcher(output, journal, policy: policy, clock: clock)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal, accepted(100))
        let receipts = await dispatcher.receipts.next(1)
        #expect(receipts.map(\.sequence) == [4])
        #expect(output.offered == 1)
        #expect(journal.cursor(of: "stdout") == 4)
        #expect(journal.settlements.flatMap(\.exceptions).map(\.sequence) == [2, 3])
        await dispatcher.stop()
    }

    @Test("100,000 old scans are skipped at once after a restart")
    func liveRestart() async {
        let count = 100_000
        let journal = TestJournal(scans: count)
        journal.setCursor(0, of: "keyboard")
        let output = FakeOutput("keyboard")
        let dispatcher = dispatcher(output, journal, policy: live, clock: clock)
        await dispatcher.start()
        _ = await journal.settled.first { $0.sequence == UInt64(count) }
        #expect(journal.settlements.count == (count + Lane.skipRun - 1) / Lane.skipRun)
        #expect(journal.settlements.map(\.exceptions.count).reduce(0, +) == count)
        #expect(output.offered == 0)
        await dispatcher.stop()
    }

    @Test(
        "An age is known on the boot clock, or on a wall clock that can be believed twice",
        arguments: [
            ("b", true, true, Duration?.some(.seconds(90))), ("b", false, false, .seconds(90)),
            ("other", true, true, .seconds(100)), ("other", false, true, nil), ("other", true, false, nil),
        ])
    func age(boot: String, wasSynced: Bool, isSynced: Bool, age: Duration?) {
        let clock = Self.clock(isSynced: isSynced)
        var event = Fixtures.scan()
        accepted(10)(&event)
        event.stamp.boot = boot
        event.stamp.isClockSynced = wasSynced
        guard case .scan(let body) = event.body else { return }
        #expect(ScanAge.of(event, body.scan, on: clock) == age)
    }

    @Test("A scan of the future, after a clock that jumped, has no age that can be believed")
    func future() {
        var event = Fixtures.scan()
        event.stamp.boot = "other"
        event.stamp.wallNanoseconds += 200_000_000_000
        #expect(ScanAge.problem(event, maxAge: .seconds(2), on: clock)?.contains("isn't known") == true)
    }

    // MARK: The end

    @Test("Stopping delivers what is queued, then stops the outputs")
    func drains() async {
        let journal = TestJournal()
        let output = FakeOutput("a")
        let dispatcher = dispatcher(output, journal)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for _ in 1...100 {
            dispatcher.scan(journal)
            dispatcher.submit(Fixtures.state())
            output.answer(.accepted, .accepted)
        }
        await dispatcher.stop(within: .seconds(30))
        #expect(output.wasStopped)
        #expect(output.offered == 200)
        #expect(journal.cursor(of: "a") == 100)
        #expect(await dispatcher.reports()[0].dropped == 0)
    }

    @Test("Stopping doesn't wait for an output that never answers: scans stay in the journal, other events are counted")
    func stopsInTime() async {
        let journal = TestJournal()
        let output = FakeOutput("a")
        let dispatcher = dispatcher(output, journal)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal)
        for _ in 1...5 { dispatcher.submit(Fixtures.state()) }
        _ = await output.offers.next(1)
        await dispatcher.stop(within: .milliseconds(10))
        #expect(output.wasStopped)
        #expect(journal.cursor(of: "a") == 0)
        #expect(await dispatcher.reports()[0].dropped == 5)
    }

    @Test("Stopping gives a waiting delivery one more try and no more")
    func noRetryWhileStopping() async {
        let journal = TestJournal()
        let output = FakeOutput("a")
        let failure = Receipt.failed(reason: "unplugged", retry: true)
        output.answer(failure)
        let dispatcher = dispatcher(output, journal, retry: never)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal)
        _ = await output.offers.next(1)
        output.answer(failure)
        await dispatcher.stop(within: .seconds(30))
        #expect(output.offered <= 2)
        #expect(journal.cursor(of: "a") == 0)
    }

    @Test("Other events submitted after the stop are counted as dropped")
    func afterStop() async {
        let dispatcher = dispatcher(FakeOutput("a"), TestJournal())
        await dispatcher.start()
        await dispatcher.stop()
        dispatcher.submit(Fixtures.state())
        #expect(await dispatcher.reports()[0].dropped == 1)
    }
}

/// Takes whole batches and remembers only whether they came in order.
private final class CountingOutput: Output {
    let name: String
    let batchLimit: Int
    let states = AsyncStream<OutputStatus> { $0.finish() }
    private let seen = Mutex((last: UInt64(0), count: 0, isInOrder: true))

    init(_ name: String, batchLimit: Int) {
        self.name = name
        self.batchLimit = batchLimit
    }

    var count: Int { seen.withLock { $0.count } }
    var isInOrder: Bool { seen.withLock { $0.isInOrder } }

    func start() async {}
    func stop() async {}
    func deliver(_ event: Event) async -> Receipt { .accepted }

    func deliver(_ events: [Event]) async -> [Receipt] {
        seen.withLock { seen in
            for event in events {
                seen.isInOrder = seen.isInOrder && event.sequence == seen.last + 1
                seen.last = event.sequence ?? 0
                seen.count += 1
            }
        }
        return events.map { _ in .accepted }
    }

    func report() async -> OutputReport { OutputReport(name: name, kind: "fake", status: OutputStatus(.ready)) }
}
