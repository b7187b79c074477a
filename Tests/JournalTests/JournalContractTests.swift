import Testing
import Wire

@testable import Journal

/// What both journals promise.
@Suite("A journal", .timeLimit(.minutes(10)))
struct JournalContractTests {
    enum Kind: String, CaseIterable, Sendable { case disk, memory }

    /// As long as the test: a journal whose folder is removed notices it.
    private let rig = Rig()

    static func open(_ kind: Kind, in rig: Rig) async -> any ScanJournal {
        let journal: any ScanJournal =
            switch kind {
            case .disk: rig.make()
            case .memory: MemoryJournal(settings: rig.settings, log: rig.log.log)
            }
        await journal.open()
        return journal
    }

    @Test("gives consecutive sequences and its id", arguments: Kind.allCases)
    func append(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        let kept = try await journal.append(scans(1...3)) + journal.append([scan(4)])
        #expect(kept.map(\.sequence) == [1, 2, 3, 4])
        #expect(kept.map(\.id) == ["s-1", "s-2", "s-3", "s-4"])
        let report = await journal.report()
        #expect(Set(kept.map { $0.scanBody?.journal }) == [report.id])
        #expect((report.first, report.last, report.scans) == (1, 4, 4))
        #expect(try await journal.append([]).isEmpty)
        await journal.close()
    }

    @Test("takes scans only", arguments: Kind.allCases)
    func otherEvents(kind: Kind) async {
        let journal = await JournalContractTests.open(kind, in: rig)
        let state = Event(stamp: scan(1).stamp, body: .state(StateEvent(part: "torch", state: "on")))
        let error = await journalError { () async throws(JournalError) in
            _ = try await journal.append([scan(1), state])
        }
        #expect(error?.code == .failed)
        #expect(await journal.report().scans == 0)
        await journal.close()
    }

    @Test("finds a scan by its id, and says what each output has said about it", arguments: Kind.allCases)
    func receipts(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        _ = try await journal.register([JournalOutput(name: "web", isRequired: true)])
        _ = try await journal.append(scans(1...4))
        #expect(try await journal.scan(id: "s-3")?.sequence == 3)
        #expect(try await journal.scan(id: "s-5") == nil)
        try await journal.settle(
            Settlement(
                output: "web", sequence: 3, exceptions: [.init(sequence: 2, outcome: .refused, reason: "no such item")])
        )
        let receipts = try await journal.receipts(of: [1, 2, 4])
        #expect(receipts[1] == [JournalFile.Receipt(output: "web", outcome: .accepted)])
        #expect(receipts[4] == [JournalFile.Receipt(output: "web", outcome: .pending)])
        #expect(receipts[3] == nil)
        // A journal in memory keeps no reasons.
        if kind == .disk, case .exception(let outcome, let reason, _)? = receipts[2]?.first?.outcome {
            #expect(outcome == .refused)
            #expect(reason == "no such item")
        } else {
            #expect(kind == .memory)
        }
        await journal.close()
    }

    @Test("keeps the last word of the host about each scan, as long as the scan", arguments: Kind.allCases)
    func answers(kind: Kind) async throws {
        let rig = Rig { $0.maxScans = 3 }
        let journal = await JournalContractTests.open(kind, in: rig)
        _ = try await journal.append(scans(1...3))
        func said(_ sequence: UInt64, _ verdict: AnswerEvent.Verdict, isLate: Bool = false) -> RecordedAnswer {
            RecordedAnswer(
                AnswerEvent(
                    scan: "", sequence: sequence, verdict: verdict, by: "till", reason: "why not", isLate: isLate,
                    relay: !isLate), wallNanoseconds: 17)
        }
        try await journal.record(said(1, .accepted))
        try await journal.record(said(2, .none))
        try await journal.record(said(2, .refused, isLate: true))
        // These scans don't exist.
        try await journal.record(said(0, .accepted))
        try await journal.record(said(4, .accepted))
        #expect(
            try await journal.answers(to: [0, 1, 2, 3, 4])
                == [1: said(1, .accepted), 2: said(2, .refused, isLate: true)])
        // The first scan goes, and what was said about it.
        _ = try await journal.append([scan(4)])
        #expect(await journal.report().first == 2)
        #expect(Set(try await journal.answers(to: [1, 2]).keys) == [2])
        await journal.close()
    }

    @Test("hands out pages after a sequence, in order, and nothing at the end", arguments: Kind.allCases)
    func pages(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        _ = try await journal.append(scans(1...10))
        #expect(try await journal.scans(after: 0, limit: 4).map(\.sequence) == [1, 2, 3, 4])
        #expect(try await journal.scans(after: 8, limit: 4).map(\.sequence) == [9, 10])
        #expect(try await journal.scans(after: 10, limit: 4).isEmpty)
        #expect(try await journal.scans(after: .max, limit: 4).isEmpty)
        #expect(try await journal.scans(after: 0, limit: 0).isEmpty)
        #expect(try await journal.scans(after: 0, limit: .max).count == 10)
        await journal.close()
    }

    @Test("lets a new output begin at its end, and keeps cursors", arguments: Kind.allCases)
    func cursors(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        let mqtt = JournalOutput(name: "mqtt", isRequired: true)
        #expect(try await journal.register([mqtt]) == ["mqtt": 0])
        _ = try await journal.append(scans(1...5))
        try await journal.settle(Settlement(output: "mqtt", sequence: 3))
        let file = JournalOutput(name: "file", isRequired: false)
        #expect(try await journal.register([mqtt, file]) == ["mqtt": 3, "file": 5])
        let outputs = await journal.report().outputs
        #expect(outputs.map(\.name) == ["file", "mqtt"])
        #expect(outputs.map(\.lag) == [0, 2])
        _ = try await journal.register([file])
        #expect(await journal.report().outputs.map(\.isActive) == [true, false])
        await journal.close()
    }

    @Test("counts exceptions once, however often they are settled", arguments: Kind.allCases)
    func exceptions(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        _ = try await journal.register([JournalOutput(name: "web", isRequired: true)])
        _ = try await journal.append(scans(1...5))
        let settlement = Settlement(
            output: "web", sequence: 4,
            exceptions: [
                .init(sequence: 2, outcome: .refused, reason: "410 Gone"),
                .init(sequence: 3, outcome: .skipped, reason: "too old"),
                .init(sequence: 9, outcome: .undeliverable, reason: "not settled yet"),
            ])
        try await journal.settle(settlement)
        try await journal.settle(settlement)
        try await journal.settle(Settlement(output: "web", sequence: 1))
        let output = await journal.report().outputs.first
        #expect(output?.cursor == 4)
        #expect((output?.refused, output?.skipped, output?.undeliverable) == (1, 1, 0))
        await journal.close()
    }

    @Test("refuses receipts of unknown outputs and for scans that it doesn't have", arguments: Kind.allCases)
    func wrongSettlements(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        _ = try await journal.register([JournalOutput(name: "web", isRequired: true)])
        let unknown = await journalError { () async throws(JournalError) in
            try await journal.settle(Settlement(output: "tcp", sequence: 0))
        }
        #expect(unknown?.code == .notFound)
        let future = await journalError { () async throws(JournalError) in
            try await journal.settle(Settlement(output: "web", sequence: 1))
        }
        #expect(future?.code == .failed)
        await journal.close()
    }

    @Test("tells its states, from the current one on", arguments: Kind.allCases)
    func states(kind: Kind) async {
        let rig = Rig()
        let journal: any ScanJournal = kind == .disk ? rig.make() : MemoryJournal(settings: rig.settings)
        var states = journal.states.makeAsyncIterator()
        #expect(await states.next() == .closed)
        await journal.open()
        #expect(await states.next() == .ready)
        await journal.close()
        #expect(await states.next() == .closed)
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(1)]) }
        #expect(error?.code == .unavailable)
    }

    @Test("keeps the order of many writers' scans without a gap", arguments: Kind.allCases)
    func concurrent(kind: Kind) async throws {
        let journal = await JournalContractTests.open(kind, in: rig)
        try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for writer in 0..<8 {
                group.addTask {
                    var sequences: [UInt64] = []
                    for number in 0..<25 {
                        sequences += try await journal.append([scan(writer * 1000 + number)]).map(\.sequence)
                    }
                    return sequences
                }
            }
            var all: [UInt64] = []
            for try await sequences in group {
                #expect(sequences == sequences.sorted())
                all += sequences
            }
            #expect(all.sorted() == Array(1...200))
        }
        #expect(try await journal.scans(after: 0, limit: 500).map(\.sequence) == Array(1...200))
        await journal.close()
    }

    @Test("in memory drops the oldest beyond its bound, and says what was lost")
    func memoryBound() async throws {
        let rig = Rig { $0.maxScans = 4 }
        let journal = await JournalContractTests.open(.memory, in: rig)
        _ = try await journal.register([JournalOutput(name: "web", isRequired: true)])
        _ = try await journal.append(scans(1...4))
        try await journal.settle(Settlement(output: "web", sequence: 2))
        _ = try await journal.append(scans(5...9))
        let report = await journal.report()
        #expect((report.first, report.last, report.scans) == (6, 9, 4))
        #expect(report.warning?.contains("3 were dropped undelivered") == true)
        #expect(report.outputs.map(\.lag) == [4])
        #expect(try await journal.scans(after: 2, limit: 10).map(\.sequence) == [6, 7, 8, 9])
        #expect(rig.log.count(of: "dropped undelivered") == 1)
    }
}
