import Glibc
import TestSupport
import Testing
import Wire

@testable import Journal

/// Writing into a deleted file succeeds, so the station has to look.
@Suite("A journal that vanishes while it is open", .timeLimit(.minutes(10)))
struct VanishedTests {
    let web = JournalOutput(name: "web", isRequired: true)

    enum Loss: String, CaseIterable, Sendable {
        case deleted, databaseDeleted, logDeleted, folderMoved, databaseMoved, replaced, emptied, cut, logEmptied,
            overwritten,
            logOverwritten

        /// Whether a database is found in the new one's place.
        var leavesSomething: Bool {
            switch self {
            case .deleted, .databaseDeleted, .folderMoved, .databaseMoved: false
            case .logDeleted, .replaced, .emptied, .cut, .logEmptied, .overwritten, .logOverwritten: true
            }
        }

        func apply(_ folder: TemporaryFolder) throws {
            let (database, log) = (folder.file("journal.db"), folder.file("journal.db-wal"))
            switch self {
            case .deleted:
                for name in folder.names { unlink(folder.file(name)) }
                #expect(rmdir(folder.path) == 0)
            case .databaseDeleted: #expect(unlink(database) == 0)
            case .logDeleted: #expect(unlink(log) == 0)
            case .folderMoved: #expect(rename(folder.path, folder.path + "-moved") == 0)
            case .databaseMoved:
                #expect(rename(database, folder.file("mine.db")) == 0)
                #expect(rename(log, folder.file("mine.db-wal")) == 0)
            case .replaced:
                try folder.write("other", [UInt8](repeating: 7, count: 9000))
                #expect(rename(folder.file("other"), database) == 0)
            case .emptied: #expect(truncate(database, 0) == 0)
            case .cut: #expect(truncate(database, 5000) == 0)
            case .logEmptied: #expect(truncate(log, 0) == 0)
            case .overwritten:
                #expect(folder.damage("journal.db", at: 0, bytes: [UInt8](repeating: 0xA5, count: 24000)))
            case .logOverwritten:
                #expect(folder.damage("journal.db-wal", at: 100, bytes: [UInt8](repeating: 0xA5, count: 4000)))
            }
        }
    }

    /// A journal with `count` scans, of which `web` has answered for the first two.
    private func open(_ rig: Rig, count: Int = 5) async throws -> (SQLiteJournal, [Event]) {
        let journal = await rig.open()
        _ = try await journal.register([web])
        var kept: [Event] = []
        for start in stride(from: 1, through: count, by: 200) {
            kept += try await journal.append(scans(start...min(count, start + 199)))
        }
        try await journal.settle(Settlement(output: "web", sequence: 2))
        return (journal, kept)
    }

    private func removeMoved(_ rig: Rig) {
        let moved = rig.folder.path + "-moved"
        guard let handle = opendir(moved) else { return }
        closedir(handle)
        for name in ["journal.db", "journal.db-wal", "journal.db-shm", "journal.lock", "journal.ballast"] {
            unlink("\(moved)/\(name)")
        }
        rmdir(moved)
    }

    /// Until it is open again: a check may be under way on another thread.
    private func untilReady(_ journal: SQLiteJournal, _ rig: Rig) async {
        await turns {
            if await journal.report().state == .ready { return true }
            rig.time.advance(by: .seconds(1))
            await journal.settled()
            return false
        }
    }

    @Test(
        "is noticed before the next scan counts as kept, and what was undelivered goes on in a new one",
        arguments: Loss.allCases)
    func nextScan(loss: Loss) async throws {
        let rig = Rig()
        defer { removeMoved(rig) }
        let (journal, kept) = try await open(rig)
        let id = await journal.report().id
        try loss.apply(rig.folder)
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(6)]) }
        #expect(error != nil, "\(loss): kept into a journal that is lost")
        await untilReady(journal, rig)
        let report = await journal.report()
        #expect(report.id != id)
        #expect(report.last == 5)
        #expect((report.setAside != nil) == loss.leavesSomething)
        #expect(rig.folder.names.count { $0.hasPrefix("journal-damaged") && $0.hasSuffix(".db") } <= 1)
        #expect(report.outputs.first?.cursor == 2)
        #expect(try await journal.append([scan(7)]).map(\.sequence) == [6])
        let next = try await journal.scans(after: 2, limit: 10)
        #expect(next.map(\.id) == kept.dropFirst(2).map(\.id) + ["s-7"])
        await journal.close()
        // And it is on disk, where the next run finds it.
        let again = await rig.open()
        #expect(await again.report().id == report.id)
        #expect(try await again.scans(after: 2, limit: 10).map(\.id) == next.map(\.id))
        #expect(try await again.register([web]) == ["web": 2])
        await again.close()
    }

    /// Not the log's: what something else writes into it during a commit can't be told from the station's own.
    @Test(
        "is noticed when it happens in the middle of a commit: that scan doesn't count as kept",
        arguments: Loss.allCases.filter { ![.logEmptied, .logOverwritten].contains($0) })
    func duringCommit(loss: Loss) async throws {
        var rig = Rig()
        defer { removeMoved(rig) }
        let isDue = Mutexed(false)
        rig.options.beforeCommit = { [folder = rig.folder] () throws(JournalFault) in
            guard isDue.value else { return }
            isDue.value = false
            do { try loss.apply(folder) } catch { throw .storage("the test can't do it: \(error)") }
        }
        let (journal, kept) = try await open(rig)
        let id = await journal.report().id
        isDue.value = true
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(6)]) }
        #expect(error != nil, "\(loss): kept into a journal that is lost")
        await untilReady(journal, rig)
        #expect(await journal.report().id != id)
        #expect(try await journal.append([scan(7)]).count == 1)
        let next = try await journal.scans(after: 2, limit: 10)
        #expect(next.map(\.id).filter { $0 != "s-6" } == kept.dropFirst(2).map(\.id) + ["s-7"])
        await journal.close()
    }

    @Test("is noticed within a second when its log is emptied in the middle of a commit")
    func logDuringCommit() async throws {
        var rig = Rig()
        let isDue = Mutexed(false)
        rig.options.beforeCommit = { [folder = rig.folder] () throws(JournalFault) in
            guard isDue.value else { return }
            isDue.value = false
            _ = truncate(folder.file("journal.db-wal"), 0)
        }
        let (journal, kept) = try await open(rig)
        let id = await journal.report().id
        isDue.value = true
        let scans = try? await journal.append([scan(6)])
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        await untilReady(journal, rig)
        #expect(await journal.report().id != id)
        // It is in memory, whether or not it counted as kept before that was noticed.
        let next = try await journal.scans(after: 2, limit: 10)
        #expect(next.map(\.id) == kept.dropFirst(2).map(\.id) + (scans == nil ? [] : ["s-6"]))
        await journal.close()
    }

    @Test("is noticed within a second, without a scan", arguments: Loss.allCases)
    func idle(loss: Loss) async throws {
        let rig = Rig()
        defer { removeMoved(rig) }
        let (journal, _) = try await open(rig)
        let id = await journal.report().id
        try loss.apply(rig.folder)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        #expect(rig.log.has(rig.folder.path, at: .error))
        await untilReady(journal, rig)
        #expect(await journal.report().id != id)
        await journal.close()
    }

    @Test("is a state that the station hears, before and after")
    func states() async throws {
        let rig = Rig()
        let (journal, _) = try await open(rig)
        try Loss.databaseDeleted.apply(rig.folder)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        await journal.close()
        var names: [String] = []
        for await state in journal.states {
            names.append(state.name)
            if names.count > 1, state == .closed { break }
        }
        #expect(names == ["closed", "ready", "unavailable", "ready", "closed"])
    }

    @Test("also leaves the undelivered scans that aren't in memory any more, from the file that is still open")
    func beyondMemory() async throws {
        let rig = Rig()
        let count = JournalLimits.tailScans * 2 + 100
        let (journal, kept) = try await open(rig, count: count)
        try Loss.deleted.apply(rig.folder)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        #expect(rig.log.has("\(count - 2) scans were carried over. No known scan is lost", at: .critical))
        var found: [Event] = []
        while let next = try await journal.scans(after: UInt64(found.count) + 2, limit: 300).nonEmpty { found += next }
        #expect(found.map(\.id) == kept.dropFirst(2).map(\.id))
        await journal.close()
    }

    @Test("is released, even by readers of older scans: a disk that was pulled out is put in again")
    func released() async throws {
        let rig = Rig()
        let (journal, _) = try await open(rig, count: JournalLimits.tailScans + 100)
        #expect(try await journal.scans(after: 2, limit: 10).count == 10)
        #expect(!Self.openFiles(of: rig.folder.path, "journal.db").isEmpty)
        try Loss.deleted.apply(rig.folder)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        await untilReady(journal, rig)
        // The reader's queue is another one: with this page it has come round.
        #expect(try await journal.scans(after: 2, limit: 10).count == 10)
        #expect(Self.openFiles(of: rig.folder.path, " (deleted)") == [])
        await journal.close()
    }

    private static func openFiles(of folder: String, _ suffix: String) -> [String] {
        let names = (0..<1024).compactMap { descriptor -> String? in
            var text = [CChar](repeating: 0, count: 4096)
            guard readlink("/proc/self/fd/\(descriptor)", &text, text.count - 1) > 0 else { return nil }
            return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        }
        return names.filter { $0.hasPrefix(folder) && $0.hasSuffix(suffix) }
    }

    @Test("whose file was written by something else keeps what is in memory, and says what it lost")
    func lostBeyondMemory() async throws {
        let rig = Rig()
        let count = JournalLimits.tailScans + 100
        let (journal, _) = try await open(rig, count: count)
        try Loss.logEmptied.apply(rig.folder)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        #expect(rig.log.has("\(JournalLimits.tailScans) scans were carried over. 98 undelivered scans are not in it"))
        #expect(await journal.report().last == UInt64(count))
        await journal.close()
    }

    @Test("and comes back is the same one")
    func back() async throws {
        let rig = Rig()
        let (journal, _) = try await open(rig)
        let id = await journal.report().id
        let away = rig.folder.path + "-away"
        #expect(rename(rig.folder.path, away) == 0)
        // In its way, so that no new one can be made meanwhile.
        #expect(symlink("/nowhere/at/all", rig.folder.path) == 0)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        #expect(await journal.report().state.name == "unavailable")
        unlink(rig.folder.path)
        #expect(rename(away, rig.folder.path) == 0)
        await untilReady(journal, rig)
        #expect(await journal.report().id == id)
        #expect(try await journal.append([scan(6)]).map(\.sequence) == [6])
        await journal.close()
    }

    @Test("but was only touched is checked and goes on")
    func touched() async throws {
        let rig = Rig()
        let (journal, kept) = try await open(rig)
        let id = await journal.report().id
        for _ in 0..<JournalWatch.soundChecks {
            #expect(utimes(rig.folder.file("journal.db"), nil) == 0)
            rig.time.advance(by: .seconds(1))
            await journal.settled()
            #expect(await journal.report().state.name != "closed")
            await untilReady(journal, rig)
        }
        #expect(rig.log.count(of: "no damage is found") == JournalWatch.soundChecks)
        // A station must also work on a file system whose times change by themselves.
        #expect(utimes(rig.folder.file("journal.db"), nil) == 0)
        #expect(try await journal.append([scan(6)]).map(\.sequence) == [6])
        #expect(await journal.report().id == id)
        #expect(try await journal.scans(after: 0, limit: 9).map(\.id) == kept.map(\.id) + ["s-6"])
        await journal.close()
    }

    @Test("of which an older copy was put in place gets what it lacks")
    func olderCopy() async throws {
        let rig = Rig()
        let (first, kept) = try await open(rig)
        await first.close()
        let copy = rig.folder.file("copy.db")
        try RawDatabase.run(rig.folder.file("journal.db"), "VACUUM INTO '\(copy)'")
        let journal = await rig.open()
        _ = try await journal.register([web])
        let id = await journal.report().id
        _ = try await journal.append([scan(6), scan(7)])
        rig.fault.set(.storage("the disk was away"), times: 1)
        _ = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(8)]) }
        // Closed, and to be opened again in a second.
        for name in ["journal.db-wal", "journal.db-shm"] { unlink(rig.folder.file(name)) }
        #expect(rename(copy, rig.folder.file("journal.db")) == 0)
        await untilReady(journal, rig)
        #expect(await journal.report().id == id)
        #expect(try await journal.scans(after: 2, limit: 9).map(\.id) == kept.dropFirst(2).map(\.id) + ["s-6", "s-7"])
        #expect(await journal.report().outputs.first?.cursor == 2)
        await journal.close()
    }

    @Test("together with its lock leaves it to the station that took the place meanwhile")
    func taken() async throws {
        let rig = Rig()
        let (journal, _) = try await open(rig)
        try Loss.deleted.apply(rig.folder)
        mkdir(rig.folder.path, 0o750)
        let other = await rig.open()
        #expect(await other.report().state == .ready)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        let state = await journal.report().state
        #expect(state.detail?.contains("in use by process") == true)
        #expect(await other.report().state == .ready)
        await other.close()
        await untilReady(journal, rig)
        #expect(await journal.report().last == 5)
        await journal.close()
    }

    @Test("whose lock was deleted keeps others out again")
    func lock() async throws {
        let rig = Rig()
        let (journal, _) = try await open(rig)
        #expect(unlink(rig.folder.file("journal.lock")) == 0)
        rig.time.advance(by: .seconds(1))
        await journal.settled()
        #expect(throws: JournalError.self) { try JournalLock(JournalPlace(folder: rig.folder.path)) }
        #expect(await journal.report().state == .ready)
        await journal.close()
    }

    @Test("under an unmounted disk goes on in the folder below", .enabled(if: geteuid() == 0, "mounting needs root"))
    func unmounted() async throws {
        let rig = Rig()
        let mounted = mount("tmpfs", rig.folder.path, "tmpfs", 0, "size=16m")
        try #require(mounted == 0, "mounting a tmpfs: \(String(cString: strerror(errno)))")
        let (journal, kept) = try await open(rig)
        #expect(umount2(rig.folder.path, Int32(MNT_DETACH)) == 0)
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(6)]) }
        #expect(error?.message.contains("mounted over") == true || error?.message.contains("unmounted") == true)
        #expect(try await journal.scans(after: 2, limit: 9).map(\.id) == kept.dropFirst(2).map(\.id))
        #expect(rig.folder.names.contains("journal.db"))
        await journal.close()
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
