import Testing
import Wire

@testable import Journal

@Suite("The journal's limits", .timeLimit(.minutes(10)))
struct LimitTests {
    let web = JournalOutput(name: "web", isRequired: true)

    @Test("drop what every required output has answered for, oldest first")
    func drops() async throws {
        let rig = Rig { $0.maxScans = 10 }
        let journal = await rig.open()
        _ = try await journal.register([web, JournalOutput(name: "live", isRequired: false)])
        _ = try await journal.append(scans(1...10))
        try await journal.settle(Settlement(output: "web", sequence: 4))
        _ = try await journal.append(scans(11...13))
        let report = await journal.report()
        #expect((report.first, report.last, report.scans) == (4, 13, 10))
        #expect(try await journal.scans(after: 3, limit: 20).map(\.sequence) == Array(4...13))
        await journal.close()
    }

    @Test("never drop what a required output hasn't answered for: the journal is full, says who it is, and comes back")
    func full() async throws {
        let rig = Rig { $0.maxScans = 20 }
        let journal = await rig.open()
        _ = try await journal.register([web])
        _ = try await journal.append(scans(1...20))
        guard case .full(let detail) = await journal.report().state else {
            Issue.record("not full")
            return
        }
        #expect(detail.contains("20 scans wait for output web") && detail.contains("journal.maxScans is 20"))
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(21)]) }
        #expect(error?.code == .full)
        #expect(await journal.report().scans == 20)
        try await journal.settle(Settlement(output: "web", sequence: 5))
        await journal.settled()
        #expect(await journal.report().state == .ready)
        #expect(try await journal.append([scan(22)]).map(\.sequence) == [21])
        #expect(rig.log.has("the journal has room again"))
        await journal.close()
    }

    @Test("come back with some room, not with one scan")
    func hysteresis() async throws {
        let rig = Rig { $0.maxScans = 160 }
        let journal = await rig.open()
        _ = try await journal.register([web])
        _ = try await journal.append(scans(1...160))
        try await journal.settle(Settlement(output: "web", sequence: 9))
        await journal.settled()
        #expect(await journal.report().state.name == "full")
        try await journal.settle(Settlement(output: "web", sequence: 10))
        await journal.settled()
        #expect(await journal.report().state == .ready)
        await journal.close()
    }

    @Test("aren't held back by outputs that left, or that nobody requires")
    func inactive() async throws {
        let rig = Rig { $0.maxScans = 10 }
        let journal = await rig.open()
        _ = try await journal.register([web])
        _ = try await journal.append(scans(1...10))
        #expect(await journal.report().state.name == "full")
        _ = try await journal.register([JournalOutput(name: "web", isRequired: false)])
        _ = try await journal.append(scans(11...20))
        #expect(await journal.report().first == 11)
        // When it comes back it goes on with the oldest that there is.
        #expect(try await journal.register([web]) == ["web": 10])
        #expect(rig.log.has("output web was away while scans 1 to 10 were dropped"))
        await journal.close()
    }

    @Test("hold for bytes too")
    func bytes() async throws {
        let rig = Rig { $0.maxBytes = 256 << 10 }
        let journal = await rig.open()
        _ = try await journal.register([web])
        let text = String(repeating: "0123456789", count: 200)
        var kept = 0
        var refusal: JournalError?
        while refusal == nil, kept < 2000 {
            refusal = await journalError { () async throws(JournalError) in
                _ = try await journal.append([scan(kept, text: text)])
            }
            if refusal == nil { kept += 1 }
        }
        #expect(refusal?.code == .full && refusal?.message.contains("journal.maxBytes") == true)
        #expect(kept > 20)
        try await journal.settle(Settlement(output: "web", sequence: UInt64(kept)))
        await journal.settled()
        #expect(await journal.report().state == .ready)
        #expect(try await journal.append([scan(5000)]).map(\.sequence) == [UInt64(kept + 1)])
        #expect(await journal.report().first > 1)
        await journal.close()
    }

    @Test("drop by age only while the clock is right, and by times from when it was right")
    func age() async throws {
        let rig = Rig { $0.maxAge = .seconds(3600) }
        let journal = await rig.open()
        let now = rig.time.wall
        let old = now - 2 * 3_600_000_000_000
        _ = try await journal.append([
            scan(1, wall: 0, isSynced: false), scan(2, wall: old), scan(3, wall: 0, isSynced: false),
            scan(4, wall: now + 1_000_000_000_000),
        ])
        rig.time.isSynced = false
        rig.time.advance(by: .seconds(60))
        await journal.settled()
        #expect(await journal.report().first == 1)
        rig.time.isSynced = true
        rig.time.advance(by: .seconds(60))
        await journal.settled()
        await journal.settled()
        #expect(await journal.report().first == 3)
        rig.time.advance(by: .seconds(7200))
        await journal.settled()
        await journal.settled()
        #expect(await journal.report().scans == 0)
        #expect(try await journal.append([scan(5)]).map(\.sequence) == [5])
        await journal.close()
        let again = await rig.open()
        #expect(try await again.append([scan(6)]).map(\.sequence) == [6])
        await again.close()
    }

    @Test("never reuse a sequence, even when everything was dropped")
    func allDropped() async throws {
        let rig = Rig { $0.maxAge = .seconds(60) }
        let journal = await rig.open()
        _ = try await journal.append(scans(1...3))
        rig.time.advance(by: .seconds(3600))
        await journal.settled()
        await journal.settled()
        let report = await journal.report()
        #expect((report.first, report.last, report.scans) == (4, 3, 0))
        await journal.close()
        let again = await rig.open()
        #expect(await again.report().last == 3)
        await again.close()
    }

    @Test("give the room of dropped scans back to the file system")
    func shrinks() async throws {
        let rig = Rig { $0.maxScans = 500 }
        let journal = await rig.open()
        _ = try await journal.register([web])
        let text = String(repeating: "x", count: 6000)
        _ = try await journal.append((1...500).map { scan($0, text: text) })
        await journal.settled()
        rig.time.advance(by: .seconds(2))
        await journal.settled()
        let before = await journal.report().bytes
        try await journal.settle(Settlement(output: "web", sequence: 500))
        for start in stride(from: 1000, to: 1500, by: 50) { _ = try await journal.append(scans(start..<start + 50)) }
        await journal.settled()
        rig.time.advance(by: .seconds(2))
        await journal.settled()
        #expect(await journal.report().bytes < before / 2)
        await journal.close()
    }

    @Test("bound each output's exceptions, but not their count")
    func exceptionBound() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.register([web])
        let count = JournalLimits.exceptionsPerOutput + 500
        for start in stride(from: 1, through: count, by: 1000) {
            _ = try await journal.append(scans(start...min(count, start + 999)))
        }
        let exceptions = (1...count).map {
            Settlement.Exception(sequence: UInt64($0), outcome: .refused, reason: String(repeating: "no ", count: 400))
        }
        try await journal.settle(Settlement(output: "web", sequence: UInt64(count), exceptions: exceptions))
        await journal.settled()
        #expect(await journal.report().outputs.first?.refused == UInt64(count))
        await journal.close()
        let path = rig.folder.file("journal.db")
        #expect(try RawDatabase.int(path, "SELECT COUNT(*) FROM exceptions") == JournalLimits.exceptionsPerOutput)
        #expect(try RawDatabase.int(path, "SELECT MAX(LENGTH(reason)) FROM exceptions") == JournalLimits.reasonLength)
        #expect(try RawDatabase.int(path, "SELECT MIN(sequence) FROM exceptions") == 501)
    }
}
