import ControlSupport
import Journal
import Settings
import TestSupport
import Testing
import Wire

@testable import Delivery

@Suite("Dispatcher", .timeLimit(.minutes(10)))
struct DispatcherTests {
    private let journal = TestJournal()
    private let quick = RetryMachine.Policy(initial: .milliseconds(1), maximum: .milliseconds(5))
    private let never = RetryMachine.Policy(initial: .seconds(3600), maximum: .seconds(3600))

    private func dispatcher(
        _ outputs: any Output..., policy: DeliveryPolicy = DeliveryPolicy(), retry: RetryMachine.Policy? = nil
    ) -> Dispatcher {
        Dispatcher(outputs: outputs.map { ($0, policy) }, journal: journal, retry: retry ?? quick)
    }

    @Test("Every output gets every event, in order")
    func everyOutput() async {
        let outputs = [FakeOutput("a"), FakeOutput("b")]
        let dispatcher = dispatcher(outputs[0], outputs[1])
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for output in outputs { for _ in 0..<3 { output.answer(.accepted) } }
        for _ in 1...3 { dispatcher.scan(journal) }
        for output in outputs { #expect(await output.offers.next(3).map(\.sequence) == [1, 2, 3]) }
        await dispatcher.stop()
    }

    @Test("A scan that is sent again reaches one output, and its place in the journal stays")
    func again() async throws {
        let outputs = [FakeOutput("a"), FakeOutput("b")]
        let dispatcher = dispatcher(outputs[0], outputs[1])
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for output in outputs { output.answer(.accepted, .accepted) }
        let first = dispatcher.scan(journal)
        dispatcher.scan(journal)
        for output in outputs { #expect(await output.offers.next(2).map(\.sequence) == [1, 2]) }
        var receipts = dispatcher.receipts.makeAsyncIterator()
        for _ in 0..<4 { _ = await receipts.next() }
        outputs[0].answer(.failed(reason: "busy", retry: true), .refused(reason: "known"))
        try dispatcher.deliver(first, again: "a")
        #expect(await outputs[0].offers.next(2).map(\.sequence) == [1, 1])
        let receipt = await receipts.next()
        #expect(receipt?.outcome == .refused)
        #expect(receipt?.sequence == 1)
        #expect(journal.cursor(of: "a") == 2)
        let error = #expect(throws: DeliveryError.self) { try dispatcher.deliver(first, again: "c") }
        #expect(error?.message == "there is no output \"c\"; the outputs are: a, b")
        await dispatcher.stop()
    }

    @Test("What is submitted before the start is delivered after it")
    func beforeStart() async {
        let output = FakeOutput("a")
        output.answer(.accepted, .accepted)
        let dispatcher = dispatcher(output)
        journal.setCursor(0, of: "a")
        dispatcher.scan(journal)
        dispatcher.submit(Fixtures.state())
        await dispatcher.start()
        #expect(Set(await output.offers.next(2).map(\.type)) == ["scan", "state"])
        await dispatcher.stop()
    }

    @Test("An output takes up where it stopped; one that is new begins at the end")
    func cursors() async {
        for _ in 1...5 { _ = journal.keep() }
        journal.setCursor(3, of: "old")
        let outputs = [FakeOutput("old"), FakeOutput("new")]
        for output in outputs { output.answer(.accepted, .accepted, .accepted) }
        let dispatcher = dispatcher(outputs[0], outputs[1])
        await dispatcher.start()
        await dispatcher.untilRegistered()
        #expect(await outputs[0].offers.next(2).map(\.sequence) == [4, 5])
        dispatcher.scan(journal)
        #expect(await outputs[0].offers.next(1).map(\.sequence) == [6])
        #expect(await outputs[1].offers.next(1).map(\.sequence) == [6])
        #expect(journal.registered == [.init(name: "old", isRequired: true), .init(name: "new", isRequired: true)])
        await dispatcher.stop()
    }

    @Test("Scans wait until the journal is open, other events don't")
    func closedJournal() async {
        let journal = TestJournal(isOpen: false)
        let output = FakeOutput("a")
        output.answer(.accepted, .accepted)
        let dispatcher = Dispatcher(
            outputs: [(output, DeliveryPolicy())], journal: journal, retry: never)
        journal.setCursor(0, of: "a")
        await dispatcher.start()
        dispatcher.scan(journal)
        dispatcher.submit(Fixtures.state())
        #expect(await output.offers.next(1).first?.type == "state")
        let report = await dispatcher.reports()[0]
        #expect(report.cursor == nil)
        #expect(report.lag == nil)
        journal.setOpen(true)
        dispatcher.journalOpened()
        #expect(await output.offers.next(1).first?.sequence == 1)
        await dispatcher.stop()
    }

    @Test("Volatile events come after the scans up to then and before later ones")
    func order() async {
        let output = FakeOutput("a")
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal)
        // The output holds the first one while the others come.
        _ = await output.offers.next(1)
        dispatcher.scan(journal)
        dispatcher.submit(Fixtures.state("after 2"))
        dispatcher.submit(Fixtures.state("after 2 too"))
        dispatcher.scan(journal)
        dispatcher.scan(journal)
        dispatcher.submit(Fixtures.state("after 4"))
        for _ in 0..<8 { output.answer(.accepted) }
        let offers = await output.offers.next(6).map { $0.sequence.map(String.init) ?? $0.stateName ?? "" }
        #expect(offers == ["2", "after 2", "after 2 too", "3", "4", "after 4"])
        await dispatcher.stop()
    }

    @Test("A stalled output delays neither the submitter nor the others, and drops its oldest volatile events")
    func stalled() async {
        let stalled = FakeOutput("stalled")
        let lively = FakeOutput("lively")
        let dispatcher = Dispatcher(
            outputs: [(stalled, DeliveryPolicy(queueLimit: 10)), (lively, DeliveryPolicy())], journal: journal)
        await dispatcher.start()
        dispatcher.submit(Fixtures.state("0"))
        // From here on it holds one event in hand and never answers.
        _ = await stalled.offers.next(1)
        for _ in 0...1001 { lively.answer(.accepted) }
        for number in 1...1000 { dispatcher.submit(Fixtures.state("\(number)")) }
        dispatcher.scan(journal)
        #expect(await lively.offers.next(1002).count == 1002)

        let report = await dispatcher.reports()[0]
        #expect(report.dropped == 990)
        #expect(report.queued == 11)
        #expect(report.lag == 1)
        stalled.answer(.accepted, .accepted)
        #expect(await stalled.offers.next(1).first?.stateName == "991")
        await dispatcher.stop(within: .zero)
    }

    @Test("Each scan gets one receipt from each output, with its reason, and it is on record")
    func receipts() async {
        let output = FakeOutput("host")
        output.answer(
            .accepted, .refused(reason: "sold out"), .failed(reason: "too long", retry: false), .skipped(reason: "no"))
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for _ in 1...4 { dispatcher.scan(journal) }
        let receipts = await dispatcher.receipts.next(4)
        #expect(receipts.map(\.sequence) == [1, 2, 3, 4])
        #expect(receipts.map(\.isAccepted) == [true, false, false, false])
        #expect(receipts.map(\.reason) == [nil, "sold out", "too long", "no"])
        #expect(receipts.allSatisfy { $0.output == "host" })
        #expect(
            journal.settlements.flatMap(\.exceptions) == [
                .init(sequence: 2, outcome: .refused, reason: "sold out"),
                .init(sequence: 3, outcome: .undeliverable, reason: "too long"),
                .init(sequence: 4, outcome: .skipped, reason: "no"),
            ])
        let report = await dispatcher.reports()[0]
        #expect(report.dropped == 1)
        #expect(report.cursor == 4)
        #expect(report.lag == 0)
        #expect(report.lastError == "too long")
        #expect(report.lastErrorAt != nil)
        await dispatcher.stop()
    }

    @Test("Scans that can't be delivered are reported as an error, once for many")
    func undeliverable() async {
        let output = FakeOutput("host")
        for _ in 1...50 { output.answer(.failed(reason: "too long", retry: false)) }
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for _ in 1...50 { dispatcher.scan(journal) }
        _ = await dispatcher.receipts.next(50)
        await dispatcher.stop()
        let errors = await dispatcher.errors.next(2)
        #expect(errors.map(\.part) == ["output.host"])
        #expect(errors.first?.code == "undeliverable")
        #expect(errors.first?.message.hasPrefix("scan 1 can't be delivered: too long.") == true)
    }

    @Test("Events other than scans get no receipt")
    func noReceiptForStates() async {
        let output = FakeOutput("a")
        output.answer(.accepted, .accepted)
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.submit(Fixtures.state())
        dispatcher.scan(journal)
        #expect(await dispatcher.receipts.next(1).first?.sequence == 1)
        await dispatcher.stop()
    }

    @Test("A failed delivery is offered again until it succeeds, before the next event")
    func retries() async {
        let output = FakeOutput("a")
        let failure = Receipt.failed(reason: "unplugged", retry: true)
        output.answer(failure, failure, failure, .accepted, .accepted)
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal)
        dispatcher.scan(journal)
        #expect(await output.offers.next(5).map(\.sequence) == [1, 1, 1, 1, 2])
        #expect(await dispatcher.receipts.next(2).map(\.isAccepted) == [true, true])
        await dispatcher.stop()
    }

    @Test("What of a batch has a receipt is settled; the rest is offered again")
    func partOfABatch() async {
        let output = FakeOutput("a", batchLimit: 10)
        for _ in 1...4 { _ = journal.keep() }
        journal.setCursor(0, of: "a")
        output.answer(.accepted, .failed(reason: "full", retry: true), .accepted, .accepted, .accepted)
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        #expect(await output.offers.next(5).map(\.sequence) == [1, 2, 2, 3, 4])
        #expect(await dispatcher.receipts.next(4).map(\.sequence) == [1, 2, 3, 4])
        #expect(journal.settlements.map(\.sequence) == [1, 4])
        await dispatcher.stop()
    }

    @Test("An output that becomes ready, or a network that comes back, ends the back-off", arguments: [true, false])
    func readyAgain(byState: Bool) async {
        let output = FakeOutput("a")
        output.answer(.failed(reason: "unplugged", retry: true))
        let dispatcher = dispatcher(output, retry: never)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal)
        _ = await output.offers.next(1)
        // It may not have got the failure yet: the next one ends the wait in any case.
        await turns { await dispatcher.reports()[0].lastError != nil }
        output.answer(.accepted)
        if byState { output.announce(.ready) } else { dispatcher.conditionsChanged() }
        #expect(await dispatcher.receipts.next(1).first?.isAccepted == true)
        await dispatcher.stop()
    }

    @Test("State changes are pushed under the output's name")
    func stateChanges() async {
        let output = FakeOutput("serial")
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        output.announce(.waiting, "no such device")
        output.announce(.ready)
        let changes = await dispatcher.stateChanges.next(2)
        #expect(changes.map(\.part) == ["output.serial", "output.serial"])
        #expect(changes.map(\.state) == ["waiting", "ready"])
        #expect(changes[0].detail == "no such device")
        #expect(await dispatcher.reports()[0].lastError == "no such device")
        await dispatcher.stop()
    }

    @Test("What an output doesn't want is neither queued nor counted, and its cursor goes on")
    func unwanted() async {
        let output = FakeOutput("a") { $0.sequence == nil }
        let dispatcher = dispatcher(output)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        for _ in 0..<10 { dispatcher.scan(journal) }
        _ = await journal.settled.first { $0.sequence == 10 }
        let report = await dispatcher.reports()[0]
        #expect(report.queued == 0)
        #expect(report.dropped == 0)
        await dispatcher.stop()
        #expect(await output.offers.next(1).isEmpty)
        #expect(await dispatcher.receipts.next(1).isEmpty)
    }

    @Test("Settings that can't work are refused when the outputs are made")
    func badSettings() {
        var serial = SerialSettings(device: "/dev/null")
        serial.format.template = "{txet}"
        let error = #expect(throws: DeliveryError.self) {
            try Dispatcher(settings: [OutputSettings(name: "till", kind: .serial(serial))], journal: journal)
        }
        #expect(error?.message.contains("outputs[0].serial.template, character 1: unknown field {txet}") == true)
    }

    @Test("A report says what kind of delivery it is about")
    func reportJSON() async {
        let output = FakeOutput("keyboard")
        let dispatcher = dispatcher(output, policy: DeliveryPolicy(isRequired: false, mode: .live))
        await dispatcher.start()
        await dispatcher.untilRegistered()
        output.answer(.accepted)
        dispatcher.scan(journal)
        _ = await dispatcher.receipts.next(1)
        let json = await dispatcher.reports()[0].json
        #expect(json["required"] == false)
        #expect(json["mode"] == "live")
        #expect(json["cursor"] == 1)
        #expect(json["lag"] == 0)
        await dispatcher.stop()
    }
}

extension Event {
    var stateName: String? {
        if case .state(let body) = body { body.state } else { nil }
    }
}
