import Glibc
import Payloads
import Testing
import Wire

@testable import Journal

@Suite("The journal's file, from outside", .timeLimit(.minutes(10)))
struct JournalFileTests {
    static func filled(_ rig: Rig, count: Int = 20) async throws -> SQLiteJournal {
        let journal = await rig.open()
        _ = try await journal.register([
            JournalOutput(name: "web", isRequired: true), JournalOutput(name: "mqtt", isRequired: true),
        ])
        _ = try await journal.append(scans(1...count))
        try await journal.settle(
            Settlement(
                output: "web", sequence: 10,
                exceptions: [.init(sequence: 4, outcome: .refused, reason: "404 Not Found")]))
        return journal
    }

    @Test("lists what outputs did not take, with the scan if it is still there")
    func exceptions() async throws {
        let rig = Rig()
        let journal = try await JournalFileTests.filled(rig)
        try await journal.settle(
            Settlement(
                output: "mqtt", sequence: 7,
                exceptions: [
                    .init(sequence: 2, outcome: .skipped, reason: "too old"),
                    .init(sequence: 6, outcome: .refused, reason: "no room"),
                ]))
        let file = JournalFile(folder: rig.folder.path)
        #expect(try file.exceptions(last: 10).map(\.sequence) == [2, 4, 6])
        #expect(try file.exceptions(last: 2).map(\.receipt.output) == ["web", "mqtt"])
        #expect(try file.exceptions(output: "mqtt", last: 10).map(\.record?.id) == ["s-2", "s-6"])
        #expect(try file.exceptions(outcome: .skipped, last: 10).map(\.sequence) == [2])
        let unknown = #expect(throws: JournalError.self) { try file.exceptions(output: "tcp", last: 10) }
        #expect(unknown?.message.contains("it knows mqtt, web") == true)
        await journal.close()
    }

    @Test("is listed, shown, reported and exported while a station has it open")
    func reading() async throws {
        let rig = Rig()
        let journal = try await JournalFileTests.filled(rig)
        let file = JournalFile(folder: rig.folder.path)
        #expect(try file.last(3).map(\.sequence) == [18, 19, 20])
        #expect(try file.list(after: 3, before: 6, limit: 10).map(\.id) == ["s-4", "s-5"])
        #expect(try file.list(limit: 2).map(\.sequence) == [1, 2])
        #expect(try file.list(after: 0, before: 0, limit: 2).isEmpty)
        let outputs = await journal.report().outputs
        #expect(try file.report().outputs == outputs)
        let shown = try file.show(.id("s-4"))
        #expect(shown.record.sequence == 4)
        #expect(shown.receipts.map(\.output) == ["mqtt", "web"])
        #expect(shown.receipts.first?.outcome == .pending)
        guard case .exception(.refused, let reason, _) = shown.receipts.last?.outcome else {
            Issue.record("no exception")
            return
        }
        #expect(reason == "404 Not Found")
        #expect(try file.show(.sequence(5)).receipts.last?.outcome == .accepted)
        var lines: [[UInt8]] = []
        var last: (UInt64, UInt64) = (0, 0)
        try file.export(after: 5, progress: { last = ($0, $1) }, write: { lines.append($0.line) })
        #expect(lines.count == 15 && last == (15, 15))
        #expect(try file.verify().isSound)
        await journal.close()
        #expect(try file.last(1).map(\.sequence) == [20])
    }

    @Test("stops an export when the writer can't go on")
    func brokenPipe() async throws {
        struct BrokenPipe: Error {}
        let rig = Rig()
        try await JournalFileTests.filled(rig).close()
        #expect(throws: BrokenPipe.self) {
            try JournalFile(folder: rig.folder.path).export { _ in throw BrokenPipe() }
        }
    }

    @Test("isn't changed while a station has it open")
    func inUse() async throws {
        let rig = Rig()
        let journal = try await JournalFileTests.filled(rig)
        let file = JournalFile(folder: rig.folder.path)
        let compacting = #expect(throws: JournalError.self) { try file.compact() }
        #expect(compacting?.code == .inUse && compacting?.message.contains("process \(getpid())") == true)
        let replaying = #expect(throws: JournalError.self) { try file.replay(output: "web", after: 0) }
        #expect(replaying?.code == .inUse)
        await journal.close()
    }

    @Test("sets an output back for a replay")
    func replay() async throws {
        let rig = Rig()
        try await JournalFileTests.filled(rig).close()
        let file = JournalFile(folder: rig.folder.path)
        #expect(try file.replay(output: "web", after: 2) == 18)
        #expect(throws: JournalError.self) { try file.replay(output: "nobody", after: 2) }
        #expect(throws: JournalError.self) { try file.replay(output: "web", after: 21) }
        let journal = await rig.open()
        #expect(try await journal.register([JournalOutput(name: "web", isRequired: true)]) == ["web": 2])
        await journal.close()
    }

    @Test("becomes as small as what is in it")
    func compact() async throws {
        let rig = Rig { $0.maxScans = 50 }
        let journal = try await JournalFileTests.filled(rig)
        let text = String(repeating: "0123456789", count: 300)
        _ = try await journal.append((100..<130).map { scan($0, text: text) })
        try await journal.settle(Settlement(output: "web", sequence: 50))
        try await journal.settle(Settlement(output: "mqtt", sequence: 50))
        _ = try await journal.append(scans(200..<250))
        await journal.close()
        let sizes = try JournalFile(folder: rig.folder.path).compact()
        #expect(sizes.after < sizes.before)
        #expect(try JournalFile(folder: rig.folder.path).verify().scans == 50)
        let again = await rig.open()
        #expect(await again.report().last == 100)
        await again.close()
    }

    @Test("that has gaps or unreadable rows doesn't pass for sound")
    func verify() async throws {
        let rig = Rig()
        try await JournalFileTests.filled(rig).close()
        let path = rig.folder.file("journal.db")
        try RawDatabase.run(
            path, "DELETE FROM scans WHERE sequence IN (5, 6); UPDATE scans SET line = X'00' WHERE sequence = 9")
        try RawDatabase.run(path, "UPDATE scans SET id = 'other' WHERE sequence = 12")
        let result = try JournalFile(folder: rig.folder.path).verify()
        #expect(result.scans == 18)
        #expect(result.problemCount == 3)
        #expect(result.problems.contains("scans 5 to 6 are missing"))
        #expect(result.problems.contains { $0.contains("scan 9 can't be read") })
        #expect(result.problems.contains { $0.contains("scan 12") && $0.contains("another one") })
        #expect(try JournalFile(folder: rig.folder.path).show(.sequence(9)).record.problem != nil)
    }

    @Test("has clear errors for what isn't there")
    func missing() async throws {
        let rig = Rig()
        let file = JournalFile(folder: rig.folder.path)
        let none = #expect(throws: JournalError.self) { try file.last(1) }
        #expect(none?.code == .notFound && none?.message.contains(rig.folder.path) == true)
        #expect(throws: JournalError.self) { try file.compact() }
        #expect(rig.folder.names.isEmpty)
        try await JournalFileTests.filled(rig).close()
        #expect(throws: JournalError.self) { try file.show(.sequence(21)) }
        let unknown = #expect(throws: JournalError.self) { try file.show(.id("x")) }
        #expect(unknown?.code == .notFound)
        try RawDatabase.run(rig.folder.file("journal.db"), "PRAGMA user_version = 9")
        let newer = #expect(throws: JournalError.self) { try file.report() }
        #expect(newer?.code == .newerVersion)
        #expect(rig.folder.write(Array(repeating: 0x20, count: 9000), to: "journal.db"))
        let damaged = #expect(throws: JournalError.self) { try file.verify() }
        #expect(damaged?.code == .damaged)
    }
}
