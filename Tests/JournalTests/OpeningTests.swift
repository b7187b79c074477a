import Glibc
import TestSupport
import Testing
import Wire

@testable import Journal

@Suite("Opening the journal", .timeLimit(.minutes(10)))
struct OpeningTests {
    @Test("makes the state folder, closed to others")
    func makesFolder() async {
        let outer = TemporaryFolder()
        let rig = Rig()
        let folder = outer.file("a/b")
        defer { for path in [folder, outer.file("a")] { rmdir(path) } }
        let journal = SQLiteJournal(settings: rig.settings, folder: folder, options: rig.options)
        await journal.open()
        #expect(await journal.report().state == .ready)
        var status = stat()
        #expect(stat(folder, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o750)
        for name in ["journal.db", "journal.db-wal"] {
            #expect(stat("\(folder)/\(name)", &status) == 0 && status.st_mode & 0o007 == 0, "\(name)")
        }
        await journal.close()
        for name in ["journal.db", "journal.lock", "journal.ballast"] { unlink("\(folder)/\(name)") }
    }

    @Test("says what is in the way of the folder, and works when that is gone")
    func obstructed() async throws {
        let rig = Rig()
        try rig.folder.write("state", [1])
        let journal = SQLiteJournal(
            settings: rig.settings, folder: rig.folder.file("state"), options: rig.options, log: rig.log.log)
        await journal.open()
        guard case .unavailable(let detail) = await journal.report().state else {
            Issue.record("available")
            return
        }
        #expect(detail.contains(rig.folder.file("state")) && detail.contains("journal.folder"))
        let error = await journalError { () async throws(JournalError) in _ = try await journal.append([scan(1)]) }
        #expect(error?.code == .unavailable)
        unlink(rig.folder.file("state"))
        rig.time.advance(by: JournalLimits.firstRetry)
        await journal.settled()
        #expect(await journal.report().state == .ready)
        #expect(try await journal.append([scan(1)]).count == 1)
        await journal.close()
        for name in ["journal.db", "journal.lock", "journal.ballast"] { unlink(rig.folder.file("state/\(name)")) }
        rmdir(rig.folder.file("state"))
    }

    @Test("says so when the folder is read-only", .enabled(if: geteuid() == 0, "mounting needs root"))
    func readOnly() async throws {
        let folder = TemporaryFolder()
        let flags = UInt(MS_RDONLY)
        try #require(mount("tmpfs", folder.path, "tmpfs", flags, nil) == 0, "mounting needs root")
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let journal = await Rig(folder: folder).open()
        let state = await journal.report().state
        #expect(state.name == "unavailable")
        #expect(state.detail?.contains("is read-only") == true)
        await journal.close()
    }

    @Test("leaves a newer version's journal alone")
    func newer() async throws {
        let rig = Rig()
        let first = await rig.open()
        _ = try await first.append(scans(1...3))
        await first.close()
        try RawDatabase.run(rig.folder.file("journal.db"), "PRAGMA user_version = 99")
        let journal = await rig.open()
        let state = await journal.report().state
        #expect(state.name == "unavailable")
        #expect(state.detail?.contains("newer version of ScanStation (format 99") == true)
        await journal.close()
        #expect(try RawDatabase.int(rig.folder.file("journal.db"), "SELECT COUNT(*) FROM scans") == 3)
        #expect(!rig.folder.names.contains { $0.hasPrefix("journal-damaged") })
    }

    @Test("refuses a journal that another station has, and takes it over when that ends")
    func inUse() async throws {
        let rig = Rig()
        let first = await rig.open()
        let second = await rig.open()
        let state = await second.report().state
        #expect(state.name == "unavailable")
        #expect(state.detail?.contains("in use by process \(getpid())") == true)
        _ = try await first.append([scan(1)])
        await first.close()
        rig.time.advance(by: JournalLimits.longestRetry)
        await second.settled()
        #expect(await second.report().state == .ready)
        #expect(try await second.append([scan(2)]).map(\.sequence) == [2])
        await second.close()
    }

    @Test("finds itself full where the limit was reached before")
    func fullAtOpening() async throws {
        let rig = Rig { $0.maxScans = 5 }
        let first = await rig.open()
        _ = try await first.register([JournalOutput(name: "web", isRequired: true)])
        _ = try await first.append(scans(1...5))
        await first.close()
        let second = await rig.open()
        #expect(await second.report().state.name == "full")
        await second.close()
    }

    @Test(
        "warns of places that forget",
        arguments: [
            (UInt32(0x0102_1994), "tmpfs"), (0x794C_7630, "overlay"), (0x8584_58F6, "ramfs"), (0x0102_1997, "9p"),
        ])
    func volatile(type: UInt32, name: String) {
        #expect(JournalPlace.warning(type: type, folder: "/var/lib/x")?.contains(name) == true)
        #expect(JournalPlace.warning(type: 0xEF53, folder: "/var/lib/x") == nil)
    }

    /// The schema of a program that is newer by one migration.
    private static let versionTwo: JournalSchema = {
        var schema = JournalSchema()
        schema.migrations.append(
            JournalSchema.Migration(version: 2, sql: "ALTER TABLE scans ADD COLUMN note TEXT NOT NULL DEFAULT ''"))
        return schema
    }()

    @Test("brings an older version's file up to date, with everything in it")
    func migration() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("journal.db")
        try RawDatabase.run(path, OpeningTests.versionOne)
        let birth = JournalStore.Birth(id: "other", wallNanoseconds: 0, version: "2")
        let opened = try JournalStore.open(JournalPlace(folder: folder.path), birth: birth, schema: Self.versionTwo)
        #expect(opened.ledger.id == "0196-old" && opened.ledger.last == 7 && opened.ledger.first == 7)
        #expect(opened.ledger.outputs["web"]?.cursor == 6)
        #expect(opened.ledger.outputs["web"]?.counts[.refused] == 2)
        #expect(!opened.isNew)
        opened.store.close()
        #expect(try RawDatabase.int(path, "PRAGMA user_version") == 2)
        #expect(try RawDatabase.int(path, "SELECT COUNT(*) FROM scans WHERE note = ''") == 1)
        // An older program leaves it alone from then on.
        #expect(throws: JournalFailure.self) { try JournalStore.open(JournalPlace(folder: folder.path), birth: birth) }
    }

    @Test("a file from before answers were kept has none, and takes them from now on, in the same format")
    func beforeAnswers() async throws {
        let rig = Rig()
        let path = rig.folder.file("journal.db")
        try RawDatabase.run(path, OpeningTests.versionOne)
        #expect(try JournalFile(folder: rig.folder.path).show(.sequence(7)).answer == nil)
        let journal = await rig.open()
        #expect(try await journal.answers(to: [7]).isEmpty)
        let said = RecordedAnswer(AnswerEvent(scan: "", sequence: 7, verdict: .refused, by: "till"), wallNanoseconds: 5)
        try await journal.record(said)
        try await journal.remember("one", as: .readingFigures)
        try await journal.remember("two", as: .readingFigures)
        await journal.close()
        #expect(try RawDatabase.int(path, "PRAGMA user_version") == 1)
        let again = await rig.open()
        #expect(try await again.answers(to: [7]) == [7: said])
        #expect(try await again.note(.readingFigures) == "two")
        await again.close()
        #expect(try JournalFile(folder: rig.folder.path).show(.sequence(7)).answer == said)
    }

    @Test("a version on trial leaves an older version's file as it is, and says why; a new file is made")
    func onTrial() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("journal.db")
        try RawDatabase.run(path, OpeningTests.versionOne)
        let birth = JournalStore.Birth(id: "other", wallNanoseconds: 0, version: "2")
        let place = JournalPlace(folder: folder.path)
        do {
            _ = try JournalStore.open(place, birth: birth, convertsOlder: false, schema: Self.versionTwo)
            Issue.record("it was opened")
        } catch let failure as JournalFailure {
            #expect(failure.message.contains("on trial") && failure.message.contains("older format 1"))
        }
        #expect(try RawDatabase.int(path, "PRAGMA user_version") == 1)
        // The same format needs no conversion.
        let same = try JournalStore.open(place, birth: birth, convertsOlder: false)
        #expect(same.ledger.last == 7)
        same.store.close()
        let empty = TemporaryFolder()
        let made = try JournalStore.open(
            JournalPlace(folder: empty.path), birth: birth, convertsOlder: false, schema: Self.versionTwo)
        #expect(made.isNew)
        made.store.close()
    }

    @Test("undoes a conversion that fails, whole")
    func failedMigration() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("journal.db")
        try RawDatabase.run(path, OpeningTests.versionOne)
        var schema = JournalSchema()
        schema.migrations += [
            JournalSchema.Migration(version: 2, sql: "ALTER TABLE scans ADD COLUMN note TEXT NOT NULL DEFAULT ''"),
            JournalSchema.Migration(version: 3, sql: "ALTER TABLE nothing ADD COLUMN note TEXT"),
        ]
        let birth = JournalStore.Birth(id: "other", wallNanoseconds: 0, version: "3")
        let place = JournalPlace(folder: folder.path)
        #expect(throws: (any Error).self) { try JournalStore.open(place, birth: birth, schema: schema) }
        #expect(try RawDatabase.int(path, "PRAGMA user_version") == 1)
        let opened = try JournalStore.open(place, birth: birth)
        #expect(opened.ledger.last == 7)
        opened.store.close()
    }

    /// A file of format 1, as it was first shipped: never change this text.
    static let versionOne = """
        PRAGMA journal_mode = WAL;
        CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE scans (
            sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, wall INTEGER NOT NULL, synced INTEGER NOT NULL,
            boot TEXT NOT NULL, session INTEGER NOT NULL, line BLOB NOT NULL);
        CREATE TABLE cursors (
            output TEXT PRIMARY KEY NOT NULL, sequence INTEGER NOT NULL, required INTEGER NOT NULL,
            active INTEGER NOT NULL, refused INTEGER NOT NULL, skipped INTEGER NOT NULL,
            undeliverable INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE exceptions (
            output TEXT NOT NULL, sequence INTEGER NOT NULL, id TEXT, outcome TEXT NOT NULL, reason TEXT NOT NULL,
            wall INTEGER NOT NULL, PRIMARY KEY (output, sequence)) WITHOUT ROWID;
        INSERT INTO meta VALUES ('id', '0196-old'), ('created', '0'), ('version', '0.1.0'), ('last', '0');
        INSERT INTO scans VALUES (7, 's-7', 0, 1, 'boot', 1, X'7B7D');
        INSERT INTO cursors VALUES ('web', 6, 1, 1, 2, 0, 0);
        PRAGMA application_id = 1399018356;
        PRAGMA user_version = 1;
        """

    @Test("takes the state folder from systemd, the user or the home folder")
    func stateFolder() {
        func folder(_ values: [String: String], isRoot: Bool = false) -> String {
            StateFolder.default(environment: { values[$0] }, isRoot: isRoot)
        }
        #expect(folder(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"], isRoot: true) == "/var/lib/a")
        #expect(folder([:], isRoot: true) == "/var/lib/scanstation")
        #expect(folder(["XDG_STATE_HOME": "/x", "HOME": "/h"]) == "/x/scanstation")
        #expect(folder(["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/scanstation")
    }
}
