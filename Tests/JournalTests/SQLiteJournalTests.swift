import GRDB
import TestSupport
import Testing
import Wire

@testable import Journal

@Suite("The journal on disk", .timeLimit(.minutes(10)))
struct SQLiteJournalTests {
    @Test("has its scans, cursors, counts and id again when it is opened again")
    func reopened() async throws {
        let rig = Rig()
        let first = await rig.open()
        _ = try await first.register([JournalOutput(name: "web", isRequired: true)])
        let kept = try await first.append(scans(1...5))
        try await first.settle(
            Settlement(
                output: "web", sequence: 3, exceptions: [.init(sequence: 2, outcome: .refused, reason: "no such item")])
        )
        let before = await first.report()
        await first.close()

        let second = await rig.open()
        let after = await second.report()
        #expect((after.id, after.first, after.last) == (before.id, 1, 5))
        #expect(after.outputs == before.outputs)
        let read = try await second.scans(after: 0, limit: 10)
        #expect(read == kept)
        #expect(read.map { $0.line(secrets: .revealed) } == kept.map { $0.line(secrets: .revealed) })
        #expect(try await second.register([JournalOutput(name: "web", isRequired: true)]) == ["web": 3])
        #expect(try await second.append([scan(6)]).map(\.sequence) == [6])
        await second.close()
    }

    @Test("needs no close: what was appended is there")
    func abandoned() async throws {
        let rig = Rig()
        var journal: SQLiteJournal? = await rig.open()
        _ = try await journal?.append(scans(1...3))
        await journal?.settled()
        journal = nil
        let again = await rig.open()
        #expect(await again.report().last == 3)
        await again.close()
    }

    @Test("stores the very line that the kept event writes, for all kinds of content")
    func storedLine() async throws {
        let rig = Rig()
        let journal = await rig.open()
        let texts = ["WIFI:T:WPA;S:n;P:swordfish1;;", "\u{1B}[2J\u{0}", #"","journal":null,"seq":0,"#, "é😀"]
        let kept = try await journal.append(texts.enumerated().map { scan($0.offset, text: $0.element) })
        await journal.close()
        let records = try JournalFile(folder: rig.folder.path).list(limit: 10)
        #expect(records.map { $0.line + [0x0A] } == kept.map { $0.line(secrets: .revealed) })
        #expect(records.map(\.event) == kept)
    }

    @Test("is in WAL mode and synchronous=FULL, which is read back")
    func durability() async throws {
        let rig = Rig()
        let place = JournalPlace(folder: rig.folder.path)
        let birth = JournalStore.Birth(id: "j", wallNanoseconds: 0, version: "1")
        let store = try JournalStore.open(place, birth: birth).store
        func pragma(_ name: String, of store: JournalStore) throws -> String? {
            try store.inDatabase { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }
        #expect(try pragma("synchronous", of: store) == "2")
        #expect(try pragma("journal_mode", of: store) == "wal")
        #expect(try pragma("foreign_keys", of: store) == "0")
        #expect(try pragma("auto_vacuum", of: store) == "2")
        #expect(try pragma("wal_autocheckpoint", of: store) == "0")
        store.close()
        let mutated = try JournalStore.open(place, birth: birth, synchronous: .off).store
        #expect(try pragma("synchronous", of: mutated) == "0")
        mutated.close()
    }

    @Test("gives older scans than it has in memory from the file")
    func older() async throws {
        let rig = Rig()
        let journal = await rig.open()
        let count = JournalLimits.tailScans + JournalLimits.maxPage
        for start in stride(from: 1, through: count, by: 331) {
            _ = try await journal.append(scans(start...min(count, start + 330)))
        }
        var sequences: [UInt64] = []
        while case let page = try await journal.scans(after: sequences.last ?? 0, limit: 128), !page.isEmpty {
            #expect(page.count <= 128)
            sequences += page.map(\.sequence)
        }
        #expect(sequences == Array(1...UInt64(count)))
        #expect(try await journal.scans(after: 0, limit: 5000).count == JournalLimits.maxPage)
        await journal.close()
    }

    @Test("commits what waits together, and answers all or none")
    func groups() async throws {
        var rig = Rig()
        let commits = Mutexed(0)
        let gate = Gate()
        rig.options.beforeCommit = { [fault = rig.fault] () throws(JournalFault) in
            commits.value += 1
            if commits.value == 1 { gate.wait() }
            try fault.raise()
        }
        let journal = await rig.open()
        async let held = journal.append([scan(0)])
        await gate.reached()
        // These wait while the first commit is under way, and reading doesn't.
        #expect(try await journal.scans(after: 0, limit: 10).isEmpty)
        let waiting = (1...20).map { number in Task { try await journal.append([scan(number)]) } }
        await turns { journal.waitingJobs >= 20 }
        gate.open()
        #expect(try await held.map(\.sequence) == [1])
        var sequences: [UInt64] = []
        for task in waiting { sequences += try await task.value.map(\.sequence) }
        #expect(sequences.sorted() == Array(2...21))
        #expect(commits.value == 2)
        await journal.close()
    }

    @Test("doesn't use up a sequence for what couldn't be committed")
    func failedCommit() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.append([scan(1)])
        rig.fault.set(.storage("injected"))
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append(scans(2...3)) }
        #expect(error?.code == .unavailable)
        #expect(await journal.report().state.name == "unavailable")
        rig.fault.set(nil)
        var states = journal.states.makeAsyncIterator()
        rig.time.advance(by: .seconds(60))
        while let state = await states.next(), state != .ready {}
        while await journal.report().state != .ready {}
        #expect(try await journal.append([scan(4)]).map(\.sequence) == [2])
        #expect(try await journal.scans(after: 0, limit: 10).map(\.id) == ["s-1", "s-4"])
        await journal.close()
    }

    @Test("refuses an id that it has, without blaming others that were committed with it")
    func sameID() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.register([JournalOutput(name: "web", isRequired: true)])
        _ = try await journal.append([scan(1)])
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(1)]) }
        #expect(error?.code == .failed)
        #expect(try await journal.append([scan(2)]).map(\.sequence) == [2])
        await journal.close()
    }

    @Test("is slow when a commit takes long, and well again after some quick ones, without a scan")
    func slow() async throws {
        var rig = Rig()
        let delay = Mutexed(Duration.milliseconds(900))
        rig.options.beforeCommit = { [time = rig.time] () throws(JournalFault) in time.pass(delay.value) }
        let journal = await rig.open()
        _ = try await journal.append([scan(1)])
        guard case .storageSlow(let detail) = await journal.report().state else {
            Issue.record("not slow")
            return
        }
        #expect(detail.contains("900ms"))
        #expect(try await journal.append([scan(2)]).count == 1)
        delay.value = .zero
        for _ in 0..<JournalLimits.quickCommits {
            #expect(await journal.report().state.name == "storageSlow")
            rig.time.advance(by: JournalLimits.probeInterval)
            await journal.settled()
        }
        #expect(await journal.report().state == .ready)
        await journal.close()
    }

    @Test("empties its write-ahead log when it is idle")
    func checkpoint() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.append(scans(1...200))
        await journal.settled()
        let path = rig.folder.file("journal.db")
        let before = try #require(JournalPlace.size(of: path))
        rig.time.advance(by: JournalLimits.idleBeforeCheckpoint)
        await journal.settled()
        #expect(try #require(JournalPlace.size(of: path)) > before)
        await journal.close()
        #expect(JournalPlace.size(of: path + "-wal") ?? 0 == 0)
    }
}
