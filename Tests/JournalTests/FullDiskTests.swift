import Glibc
import Testing
import Wire

@testable import Journal

@Suite("A full disk", .timeLimit(.minutes(10)))
struct FullDiskTests {
    let web = JournalOutput(name: "web", isRequired: true)

    /// A journal's surroundings on a tmpfs of 7 MB, mounted at `folder`; its free room is the real one.
    private func rigOnSmallDisk(_ folder: TemporaryFolder) throws -> Rig {
        let mounted = mount("tmpfs", folder.path, "tmpfs", 0, "size=7m")
        try #require(mounted == 0, "mounting a tmpfs: \(String(cString: strerror(errno)))")
        var rig = Rig(folder: folder)
        rig.options.freeBytes = nil
        return rig
    }

    @Test("stops accepting, keeps the receipts for later, and ends by itself")
    func injected() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.register([web])
        _ = try await journal.append(scans(1...3))
        #expect(rig.folder.names.contains("journal.ballast"))
        rig.fault.set(.diskFull)
        rig.free.value = 0
        let refused = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(4)]) }
        #expect(refused?.code == .full && refused?.message.contains(rig.folder.path) == true)
        #expect(await journal.report().state.name == "full")
        #expect(!rig.folder.names.contains("journal.ballast"))
        async let settled: Void = journal.settle(Settlement(output: "web", sequence: 2))
        await journal.settled()
        rig.time.advance(by: JournalLimits.probeInterval)
        await journal.settled()
        #expect(await journal.report().outputs.first?.cursor == 0)
        rig.fault.set(nil)
        rig.free.value = 1 << 30
        rig.time.advance(by: JournalLimits.probeInterval)
        await journal.settled()
        try await settled
        let report = await journal.report()
        #expect(report.state == .ready)
        #expect(report.outputs.first?.cursor == 2)
        #expect(rig.folder.names.contains("journal.ballast"))
        #expect(try await journal.append([scan(4)]).map(\.sequence) == [4])
        await journal.close()
    }

    @Test("fails receipts only when the journal is closed meanwhile")
    func closed() async throws {
        let rig = Rig()
        let journal = await rig.open()
        _ = try await journal.register([web])
        _ = try await journal.append([scan(1)])
        rig.fault.set(.diskFull)
        rig.free.value = 0
        let settling = Task {
            await journalError { () async throws(JournalError) in
                try await journal.settle(Settlement(output: "web", sequence: 1))
            }
        }
        while await journal.report().state.name != "full" { await journal.settled() }
        await journal.close()
        #expect(await settling.value?.code == .full)
    }

    @Test(
        "for real: nothing that was answered is lost, and accepting resumes when there is room",
        .enabled(if: geteuid() == 0, "mounting needs root"))
    func tmpfs() async throws {
        let folder = TemporaryFolder()
        let rig = try rigOnSmallDisk(folder)
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let journal = await rig.open()
        #expect(await journal.report().warning?.contains("tmpfs") == true)
        #expect(rig.log.has("tmpfs", at: .warning))
        _ = try await journal.register([web])

        let text = String(repeating: "0123456789", count: 700)
        var kept: [String] = []
        var refusal: JournalError?
        for number in stride(from: 1, to: 5000, by: 5) {
            refusal = await journalError { () async throws(JournalError) in
                kept += try await journal.append((number..<number + 5).map { scan($0, text: text) }).map(\.id)
            }
            if refusal != nil { break }
        }
        #expect(refusal?.code == .full, "\(refusal?.message ?? "never full")")
        #expect(kept.count > 50)
        // Receipts can still be written, in the ballast's room.
        try await journal.settle(Settlement(output: "web", sequence: UInt64(kept.count) / 2))
        for _ in 0..<50 where await journal.report().state != .ready {
            rig.time.advance(by: JournalLimits.probeInterval)
            await journal.settled()
        }
        let report = await journal.report()
        #expect(report.state == .ready)
        #expect(report.first <= UInt64(kept.count) / 2 + 1)
        kept += try await journal.append([scan(9999)]).map(\.id)
        await journal.close()

        var found: [String] = []
        try JournalFile(folder: folder.path).export { found.append($0.problem ?? $0.id) }
        #expect(found == Array(kept.dropFirst(Int(report.first) - 1)))
        #expect(
            try RawDatabase.int(
                folder.file("journal.db"), "SELECT COUNT(*) FROM pragma_quick_check WHERE quick_check != 'ok'") == 0)
    }

    @Test(
        "receipts that go on while it is full don't take the room that it needs to recover",
        .enabled(if: geteuid() == 0, "mounting needs root"))
    func receiptsWhileFull() async throws {
        let folder = TemporaryFolder()
        let rig = try rigOnSmallDisk(folder)
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let journal = await rig.open()
        let slow = JournalOutput(name: "slow", isRequired: true)
        _ = try await journal.register([web, slow])
        // One commit a scan, and a receipt for each: the log is what grows.
        let text = String(repeating: "0123456789", count: 50)
        var count: UInt64 = 0
        var refusal: JournalError?
        while refusal == nil, count < 20_000 {
            refusal = await journalError { () async throws(JournalError) in
                count = try await journal.append([scan(Int(count) + 1, text: text)]).last?.sequence ?? count
            }
        }
        #expect(refusal?.code == .full, "\(refusal?.message ?? "never full")")
        for sequence in 1...count { try await journal.settle(Settlement(output: "web", sequence: sequence)) }
        #expect(await journal.report().state != .ready)
        try await journal.settle(Settlement(output: "slow", sequence: count))
        for _ in 0..<100 where await journal.report().state != .ready {
            rig.time.advance(by: JournalLimits.probeInterval)
            await journal.settled()
        }
        #expect(await journal.report().state == .ready)
        #expect(try await journal.append([scan(1)]).map(\.sequence) == [count + 1])
        await journal.close()
    }
}
