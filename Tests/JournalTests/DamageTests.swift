import TestSupport
import Testing
import Wire

@testable import Journal

@Suite("A damaged journal", .timeLimit(.minutes(10)))
struct DamageTests {
    let web = JournalOutput(name: "web", isRequired: true)

    enum Damage: String, CaseIterable, Sendable {
        case notADatabase, cutShort, foreign, noTable, noID, badPages

        func apply(_ folder: TemporaryFolder) throws {
            let path = folder.file("journal.db")
            switch self {
            case .notADatabase:
                try folder.write("journal.db", Array("not a database at all, but long enough".utf8))
            case .cutShort: try folder.write("journal.db", [UInt8](repeating: 0x53, count: 100))
            case .foreign: try RawDatabase.run(path, "PRAGMA application_id = 1")
            case .noTable: try RawDatabase.run(path, "DROP TABLE cursors")
            case .noID: try RawDatabase.run(path, "DELETE FROM meta WHERE name = 'id'")
            case .badPages:
                for page in 1..<12 {
                    #expect(folder.damage("journal.db", at: page * 4096, bytes: [UInt8](repeating: 0xA5, count: 512)))
                }
            }
        }
    }

    @Test("is set aside and reported, and a new one with a new id takes its place", arguments: Damage.allCases)
    func setAside(damage: Damage) async throws {
        let rig = Rig()
        let first = await rig.open()
        _ = try await first.append(scans(1...3))
        let id = await first.report().id
        await first.close()
        try damage.apply(rig.folder)

        let journal = await rig.open()
        let report = await journal.report()
        #expect(report.state == .ready)
        #expect(report.id != id && report.last == 0)
        let aside = try #require(report.setAside)
        #expect(aside.hasPrefix(rig.folder.file("journal-damaged-20261121-")))
        #expect(rig.folder.names.contains { aside.hasSuffix($0) })
        #expect(rig.log.has("set aside", at: .critical))
        #expect(try await journal.append([scan(9)]).map(\.sequence) == [1])
        await journal.close()
    }

    @Test("never overwrites one that was set aside in the same second")
    func twice() async throws {
        let rig = Rig()
        for round in 0..<2 {
            try rig.folder.write("journal.db", [UInt8](repeating: UInt8(round) + 1, count: 5000))
            let journal = await rig.open()
            #expect(await journal.report().state == .ready)
            await journal.close()
        }
        #expect(rig.folder.names.count { $0.hasPrefix("journal-damaged") && $0.hasSuffix(".db") } == 2)
    }

    @Test("doesn't mistake an empty file, or one whose creation was cut off, for damage")
    func unfinished() async throws {
        let rig = Rig()
        try rig.folder.write("journal.db", [])
        let journal = await rig.open()
        #expect(await journal.report().setAside == nil)
        await journal.close()
        let other = Rig()
        try RawDatabase.run(other.folder.file("journal.db"), "PRAGMA journal_mode = WAL")
        let second = await other.open()
        #expect(await second.report().setAside == nil)
        #expect(await second.report().state == .ready)
        await second.close()
    }

    @Test("at run time: what is in memory goes on in the new one, under the same sequences")
    func atRunTime() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.register([web])
        let kept = try await journal.append(scans(1...5))
        try await journal.settle(Settlement(output: "web", sequence: 2))
        let id = await journal.report().id
        rig.fault.set(.damaged, times: 1)
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(6)]) }
        #expect(error?.code == .damaged)
        let report = await journal.report()
        #expect(report.state == .ready)
        #expect(report.id != id && report.setAside != nil)
        #expect((report.first, report.last) == (1, 5))
        #expect(report.outputs.first?.cursor == 2)
        #expect(rig.log.has("5 scans were carried over. No known scan is lost"))
        #expect(try await journal.append([scan(7)]).map(\.sequence) == [6])
        let next = try await journal.scans(after: 2, limit: 10)
        #expect(next.map(\.id) == kept.dropFirst(2).map(\.id) + ["s-7"])
        #expect(Set(next.map { $0.scanBody?.journal }) == [report.id])
        await journal.close()
        let again = await rig.open()
        #expect(try await again.scans(after: 2, limit: 10) == next)
        await again.close()
    }

    @Test("again and again means a failing disk: the folder isn't filled with files set aside")
    func hopeless() async throws {
        let rig = Rig()
        let journal = await rig.open()
        rig.fault.set(.damaged)
        for _ in 0..<JournalLimits.damagedFiles + 5 {
            _ = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(1)]) }
        }
        let state = await journal.report().state
        #expect(state.name == "unavailable")
        #expect(state.detail?.contains("damaged journals") == true)
        #expect(
            rig.folder.names.count { $0.hasPrefix("journal-damaged") && $0.hasSuffix(".db") }
                <= JournalLimits.damagedFiles)
        await journal.close()
    }

    @Test("found by a reader is set aside too")
    func foundByReader() async throws {
        let rig = Rig()
        let journal = await rig.open()
        let count = JournalLimits.tailScans + 200
        for start in stride(from: 1, through: count, by: 400) {
            _ = try await journal.append(scans(start...min(count, start + 399)))
        }
        rig.time.advance(by: .seconds(2))
        await journal.settled()
        await journal.close()
        let again = await rig.open()
        for page in 6..<60 {
            #expect(rig.folder.damage("journal.db", at: page * 4096, bytes: [UInt8](repeating: 0xA5, count: 4096)))
        }
        var error: JournalError?
        var position: UInt64 = 0
        while error == nil, position < UInt64(count) {
            error = await journalError { () async throws(JournalError) in
                position = try await again.scans(after: position, limit: 100).last?.sequence ?? .max
            }
        }
        #expect(error?.code == .damaged)
        await again.settled()
        let report = await again.report()
        #expect(report.setAside != nil && report.state == .ready)
        #expect(try await again.append([scan(99999)]).map(\.sequence) == [UInt64(count) + 1])
        await again.close()
    }

    @Test("found by the background check is set aside too")
    func foundByCheck() async throws {
        var rig = Rig()
        rig.options.checkDelay = .seconds(30)
        let first = await rig.open()
        _ = try await first.append(scans(1...400))
        await first.close()
        for page in 20..<40 {
            #expect(rig.folder.damage("journal.db", at: page * 4096, bytes: [UInt8](repeating: 0xA5, count: 4096)))
        }
        let journal = await rig.open()
        #expect(await journal.report().setAside == nil)
        rig.time.advance(by: .seconds(30))
        await journal.settled()
        await turns { await journal.report().setAside != nil }
        // The new one is opened after the old one was set aside.
        await turns { await journal.report().state == .ready }
        await journal.close()
    }

    @Test(
        "row is skipped, told once, and holds no output back",
        arguments: ["X'00'", "CAST('{}' AS BLOB)", "'text'", "7"])
    func badRow(line: String) async throws {
        let rig = Rig()
        let first = await rig.open()
        _ = try await first.register([web])
        _ = try await first.append(scans(1...5))
        await first.close()
        try RawDatabase.run(rig.folder.file("journal.db"), "UPDATE scans SET line = \(line) WHERE sequence IN (2, 5)")
        let journal = await rig.open()
        _ = try await journal.register([web])
        #expect(try await journal.scans(after: 0, limit: 2).map(\.sequence) == [1])
        #expect(try await journal.scans(after: 1, limit: 1).map(\.sequence) == [3])
        #expect(try await journal.scans(after: 3, limit: 9).map(\.sequence) == [4])
        #expect(try await journal.scans(after: 4, limit: 9).isEmpty)
        await journal.settled()
        try await journal.settle(Settlement(output: "web", sequence: 4))
        let report = await journal.report()
        #expect(report.outputs.first?.cursor == 5)
        #expect(report.outputs.first?.lag == 0)
        #expect(report.outputs.first?.undeliverable == 1)
        #expect(rig.log.count(of: "scan 2 can't be read") == 1)
        await journal.close()
        let again = await rig.open()
        #expect(try await again.register([web]) == ["web": 5])
        await again.close()
    }
}
