import Testing

@testable import Journal

@Suite("What is found of the journal's files")
struct JournalWatchTests {
    private static let file = JournalFootprint.File(device: 1, inode: 10, size: 8192, modified: 5)
    private static let whole = JournalFootprint(
        folder: JournalFootprint.File(device: 1, inode: 2, size: 4096, modified: 5), database: file,
        log: JournalFootprint.File(device: 1, inode: 11, size: 4152, modified: 5))
    private let watch = JournalWatch(JournalPlace(folder: "/state"), now: whole)

    private func verdict(_ change: (inout JournalFootprint) -> Void) -> JournalWatch.Verdict {
        var found = Self.whole
        change(&found)
        return watch.judge(found)
    }

    @Test("What hasn't changed is intact; so is a folder in which other files come and go")
    func intact() {
        #expect(verdict { _ in } == .intact)
        #expect(
            verdict {
                $0.folder?.modified = 9
                $0.folder?.size = 8192
            } == .intact)
    }

    @Test("A name that leads to nothing, or to something else, means that it is gone, and says which")
    func gone() {
        #expect(verdict { $0.database = nil } == .gone("/state/journal.db was deleted, moved or unmounted"))
        #expect(verdict { $0.log = nil } == .gone("/state/journal.db-wal was deleted, moved or unmounted"))
        #expect(verdict { $0 = JournalFootprint() } == .gone("/state was deleted, moved or unmounted"))
        let other = "is another file now: it was replaced, or something was mounted over it"
        #expect(verdict { $0.database?.inode = 12 } == .gone("/state/journal.db \(other)"))
        #expect(verdict { $0.folder?.device = 3 } == .gone("/state \(other)"))
    }

    @Test("A file that is shorter is damaged, even where times say nothing")
    func short() {
        #expect(verdict { $0.database?.size = 8191 } == .damaged("/state/journal.db was cut short by something else"))
        #expect(verdict { $0.log?.size = 0 } == .damaged("/state/journal.db-wal was cut short by something else"))
        let patient = JournalWatch(watch.place, now: Self.whole, soundChecks: JournalWatch.soundChecks)
        var found = Self.whole
        found.database?.size = 0
        #expect(patient.judge(found) == .damaged("/state/journal.db was cut short by something else"))
    }

    @Test("A database that something else wrote is checked, a log isn't trusted")
    func written() {
        #expect(verdict { $0.database?.modified = 6 } == .written("/state/journal.db was written by something else"))
        #expect(verdict { $0.database?.size = 9000 } == .written("/state/journal.db was written by something else"))
        #expect(verdict { $0.log?.modified = 6 } == .damaged("/state/journal.db-wal was written by something else"))
        let patient = JournalWatch(watch.place, now: Self.whole, soundChecks: JournalWatch.soundChecks)
        var found = Self.whole
        found.database?.modified = 7
        #expect(patient.judge(found) == .intact)
    }

    @Test("The station's own writing doesn't count, but never makes a stranger's file its own")
    func own() {
        var watch = watch
        var found = Self.whole
        found.database?.size = 12288
        found.log?.modified = 9
        #expect(watch.wrote(found, intoDatabase: true) == .intact)
        #expect(watch.judge(found) == .intact)
        #expect(watch.judge(Self.whole) != .intact)
        var replaced = found
        replaced.database?.inode = 99
        #expect(watch.wrote(replaced, intoDatabase: true) != .intact)
        #expect(watch.judge(replaced) != .intact)
    }

    @Test("A commit writes into the log only: a database that changes meanwhile was written by something else")
    func writtenDuringCommit() {
        var watch = watch
        var found = Self.whole
        found.log?.modified = 9
        found.log?.size = 8304
        #expect(watch.wrote(found, intoDatabase: false) == .intact)
        let whole = found
        found.database?.modified = 6
        #expect(
            watch.wrote(found, intoDatabase: false) == .written("/state/journal.db was written by something else"))
        // And it isn't forgotten by the next look.
        #expect(watch.judge(found) == .written("/state/journal.db was written by something else"))
        found = whole
        found.database?.size = 4096
        #expect(
            watch.wrote(found, intoDatabase: false) == .damaged("/state/journal.db was cut short by something else"))
    }
}
