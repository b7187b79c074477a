import ControlSupport
import Glibc
import Linux
import Settings
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

@Suite("File output", .timeLimit(.minutes(10)))
struct FileOutputTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("scans") }

    private func settings(_ change: (inout FileSettings) -> Void = { _ in }) -> FileSettings {
        var settings = FileSettings(path: path)
        settings.lines = .template
        settings.format.template = "{text}<LF>"
        change(&settings)
        return settings
    }

    private static let quick: FileOutput.Limits = {
        var limits = FileOutput.Limits()
        limits.reopen = RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(10))
        return limits
    }()

    private func open(
        _ settings: FileSettings, secrets: SecretPolicy = .withheld, calls: FileCalls = FileCalls()
    ) async throws -> FileOutput {
        let output = try FileOutput(
            name: "file", settings: settings, secrets: secrets, limits: Self.quick, calls: calls)
        await output.start()
        return output
    }

    private func scans(_ numbers: ClosedRange<Int>, text: (Int) -> String = { "scan \($0)" }) -> [Event] {
        numbers.map { Fixtures.scan(UInt64($0), text: text($0)) }
    }

    private func content(_ name: String = "scans") async -> String {
        let number = Glibc.open(folder.file(name), O_RDONLY)
        return number < 0 ? "" : String(decoding: await ByteEnd(number).readToEnd(), as: UTF8.self)
    }

    // MARK: Records

    @Test("Events are appended as NDJSON")
    func json() async throws {
        try folder.write("scans", "before\n")
        let output = try await open(settings { $0.lines = .json }, secrets: .asConfigured)
        let events = scans(1...3)
        #expect(await output.deliver(events) == [.accepted, .accepted, .accepted])
        let lines = events.map { String(decoding: $0.line(secrets: .asConfigured), as: UTF8.self) }
        #expect(await content() == "before\n" + lines.joined())
        #expect(await output.report().delivered == 3)
        await output.stop()
    }

    @Test("Which events are wanted")
    func wants() async throws {
        let everything = settings {
            $0.lines = .json
            $0.scansOnly = false
        }
        for (settings, takesStates) in [
            (settings(), false), (settings { $0.lines = .json }, false), (everything, true),
        ] {
            let output = try FileOutput(name: "file", settings: settings, secrets: .withheld)
            #expect(output.wants(Fixtures.scan()))
            #expect(output.wants(Fixtures.state()) == takesStates)
        }
    }

    @Test("A withheld secret doesn't reach the disk", arguments: LineFormat.allCases)
    func secret(lines: LineFormat) async throws {
        let output = try await open(settings { $0.lines = lines })
        let event = Fixtures.interpreted("WIFI:T:WPA;S:net;P:verysecret;;")
        #expect(await output.deliver(event) == .accepted)
        let text = await content()
        #expect(!text.contains("verysecret"))
        #expect(text.contains("(redacted)"))
        await output.stop()
    }

    @Test("A batch is synced once, and not at all if that isn't wanted", arguments: [true, false])
    func sync(isOn: Bool) async throws {
        let counter = Counter()
        var calls = FileCalls()
        calls.sync = { descriptor in
            counter.count()
            return FileCalls().sync(descriptor)
        }
        let output = try await open(settings { $0.sync = isOn }, calls: calls)
        #expect(await output.deliver(scans(1...100)).count == 100)
        #expect(counter.value == (isOn ? 1 : 0))
        #expect(output.batchLimit == 256)
        await output.stop()
    }

    @Test(
        "A new file has the permissions that were asked for, whatever the umask", arguments: [0o600, 0o666] as [UInt32])
    func mode(mode: UInt32) async throws {
        let output = try await open(settings { $0.mode = mode })
        _ = await output.states.first { $0.state == .ready }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == mode)
        await output.stop()
    }

    // MARK: Rotation

    @Test("The file is put aside before it grows too large, and as many as wanted are kept")
    func rotation() async throws {
        let output = try await open(
            settings {
                $0.rotateBytes = 20
                $0.rotateKeep = 2
            })
        // Seven bytes each: two fit.
        #expect(await output.deliver(scans(1...7)).allSatisfy { $0 == .accepted })
        #expect(folder.names == ["scans", "scans.1", "scans.2"])
        #expect(await content() == "scan 7\n")
        #expect(await content("scans.1") == "scan 5\nscan 6\n")
        #expect(await content("scans.2") == "scan 3\nscan 4\n")
        await output.stop()
    }

    @Test("A gap that a crash left is filled, and nothing falls off the end for it")
    func gap() async throws {
        for (name, text) in [("scans", "new\n"), ("scans.1", "1\n"), ("scans.3", "3\n")] {
            try folder.write(name, text)
        }
        let output = try await open(
            settings {
                $0.rotateBytes = 6
                $0.rotateKeep = 3
            })
        #expect(await output.deliver(Fixtures.scan(text: "newer")) == .accepted)
        var contents: [String] = []
        for name in ["scans", "scans.1", "scans.2", "scans.3"] { contents.append(await content(name)) }
        #expect(contents == ["newer\n", "new\n", "1\n", "3\n"])
        await output.stop()
    }

    @Test("With none to keep, the file begins again")
    func keepNone() async throws {
        let output = try await open(
            settings {
                $0.rotateBytes = 10
                $0.rotateKeep = 0
            })
        #expect(await output.deliver(scans(1...3)).count == 3)
        #expect(folder.names == ["scans"])
        #expect(await content() == "scan 3\n")
        await output.stop()
    }

    @Test("A record larger than the limit is written, alone")
    func large() async throws {
        let output = try await open(settings { $0.rotateBytes = 10 })
        let long = String(repeating: "x", count: 50)
        let texts = ["a", long, "b"]
        #expect(await output.deliver(scans(1...3) { texts[$0 - 1] }).count == 3)
        #expect(await content("scans.2") == "a\n")
        #expect(await content("scans.1") == long + "\n")
        #expect(await content() == "b\n")
        await output.stop()
    }

    // MARK: Files of others

    @Test("A file that is somebody else's is not opened, also by a link that was made while the station runs")
    func foreign() async throws {
        try folder.write("journal.db", "precious")
        let claimed = folder.file("journal.db")
        let owner: @Sendable (String) -> String? = {
            FilePlace(resolving: $0).isSame(as: FilePlace(resolving: claimed)) ? "the journal" : nil
        }
        let output = try FileOutput(name: "file", settings: settings(), secrets: .withheld, owner: owner)
        await output.start()
        #expect(await output.deliver(Fixtures.scan(text: "one")) == .accepted)
        unlink(path)
        #expect(link(claimed, path) == 0)
        guard case .failed(let reason, retry: true) = await output.deliver(Fixtures.scan(text: "two")) else {
            return #expect(Bool(false))
        }
        #expect(reason.contains("is the journal: set \"path\" to another file"))
        #expect(await output.report().status.state == .waiting)
        #expect(await content("journal.db") == "precious")
        unlink(path)
        #expect(await output.deliver(Fixtures.scan(text: "two")) == .accepted)
        #expect(await content() == "two\n")
        await output.stop()
    }

    @Test(
        "What isn't a file that was put aside is neither moved nor replaced", arguments: ["folder", "link", "other's"])
    func inTheWay(kind: String) async throws {
        let taken = folder.file("scans.1")
        try folder.write("precious", "precious")
        switch kind {
        case "folder": mkdir(taken, 0o700)
        case "link": symlink(folder.file("precious"), taken)
        default: try folder.write("scans.1", "precious")
        }
        let output = try FileOutput(
            name: "file",
            settings: settings {
                $0.rotateBytes = 10
                $0.rotateKeep = 2
            }, secrets: .withheld,
            owner: { kind == "other's" && $0.hasSuffix("scans.1") ? "what outputs[1].file.path names" : nil })
        await output.start()
        #expect(await output.deliver(Fixtures.scan(text: "one")) == .accepted)
        guard case .failed(let reason, retry: true) = await output.deliver(Fixtures.scan(text: "twotwo")) else {
            return #expect(Bool(false))
        }
        #expect(reason.contains("scans.1 is") && reason.contains("move it away"))
        #expect(folder.names == ["precious", "scans", "scans.1"])
        #expect(await content() == "one\n")
        #expect(await content("precious") == "precious")
        await output.stop()
        rmdir(taken)
    }

    @Test("A link to the file stays: the file is put aside where it is")
    func linked() async throws {
        #expect(symlink("real", path) == 0)
        let output = try await open(settings { $0.rotateBytes = 10 })
        #expect(await output.deliver(scans(1...2)).count == 2)
        #expect(folder.names == ["real", "real.1", "scans"])
        #expect(await content() == "scan 2\n")
        await output.stop()
    }

    // MARK: Crashes, and other programs

    @Test("A line that a crash tore is completed before the next record")
    func torn() async throws {
        try folder.write("scans", "whole\nto")
        let output = try await open(settings())
        #expect(await output.deliver(scans(1...2)).count == 2)
        #expect(await content() == "whole\nto\nscan 1\nscan 2\n")
        await output.stop()
    }

    @Test("Where records aren't lines, nothing is put between them")
    func noLines() async throws {
        try folder.write("scans", "before;")
        let output = try await open(settings { $0.format.template = "{text};" })
        #expect(await output.deliver(Fixtures.scan(text: "a")) == .accepted)
        #expect(await content() == "before;a;")
        await output.stop()
    }

    @Test("A file that was moved or deleted is created again", arguments: ["moved", nil])
    func moved(name: String?) async throws {
        let output = try await open(settings())
        #expect(await output.deliver(Fixtures.scan(text: "one")) == .accepted)
        if let name { rename(path, folder.file(name)) } else { unlink(path) }
        #expect(await output.deliver(Fixtures.scan(text: "two")) == .accepted)
        #expect(await content() == "two\n")
        if let name { #expect(await content(name) == "one\n") }
        await output.stop()
    }

    @Test("A file that was emptied in place is written from its start")
    func emptied() async throws {
        let output = try await open(settings { $0.rotateBytes = 20 })
        #expect(await output.deliver(scans(1...2)).count == 2)
        truncate(path, 0)
        #expect(await output.deliver(scans(3...4)).count == 2)
        #expect(await content() == "scan 3\nscan 4\n")
        await output.stop()
    }

    // MARK: Trouble

    @Test("On a full disk no half record remains, what went before counts, and it goes on when there is room")
    func full() async throws {
        let room = Counter(17)
        var calls = FileCalls()
        calls.write = { descriptor, bytes, offset in
            let count = min(bytes.count - offset, room.value)
            guard count > 0 else { return .failed(SystemError(ENOSPC)) }
            room.count(-count)
            return descriptor.write(bytes, from: offset, limit: count)
        }
        calls.hasRoom = { _, count in room.value >= count }
        let output = try await open(settings(), calls: calls)
        // 17 bytes of room: two records of seven, and three bytes of the third.
        let receipts = await output.deliver(scans(1...4))
        #expect(receipts.count == 3)
        #expect(receipts.prefix(2) == [.accepted, .accepted])
        guard case .failed(let reason, retry: true) = receipts.last else { return #expect(Bool(false), "\(receipts)") }
        #expect(reason.contains("the disk is full"))
        #expect(await content() == "scan 1\nscan 2\n")
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail == reason)
        room.count(100)
        _ = await output.states.first { $0.state == .ready }
        #expect(await output.deliver(scans(3...4)).count == 2)
        #expect(await content() == "scan 1\nscan 2\nscan 3\nscan 4\n")
        await output.stop()
    }

    @Test("The same happens on a file system that is really full", .enabled(if: SmallDisk.isPossible))
    func reallyFull() async throws {
        let disk = try #require(SmallDisk(in: folder))
        let output = try await open(settings { $0.path = disk.file("scans") })
        let long = String(repeating: "x", count: 10_000)
        var written = 0
        var last = Receipt.accepted
        while last == .accepted {
            let receipts = await output.deliver(scans(1...10) { "\($0)\(long)" })
            written += receipts.filter { $0 == .accepted }.count
            last = try #require(receipts.last)
        }
        guard case .failed(let reason, retry: true) = last else { return #expect(Bool(false), "\(last)") }
        #expect(reason.contains("the disk is full"))
        let number = Glibc.open(disk.file("scans"), O_RDONLY)
        let lines = String(decoding: await ByteEnd(number).readToEnd(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == written)
        #expect(lines.allSatisfy { $0.hasSuffix(long) })
        await output.stop()
    }

    @Test("What can't be synced isn't accepted, and isn't there twice when it comes again")
    func syncFails() async throws {
        let failures = Counter(1)
        var calls = FileCalls()
        calls.sync = { descriptor in
            guard failures.value > 0 else { return FileCalls().sync(descriptor) }
            failures.count(-1)
            return SystemError(EIO)
        }
        let output = try await open(settings(), calls: calls)
        let receipts = await output.deliver(scans(1...3))
        guard receipts.count == 1, case .failed(let reason, retry: true) = receipts[0] else {
            return #expect(Bool(false), "\(receipts)")
        }
        #expect(reason.contains("Input/output error"))
        #expect(await output.deliver(scans(1...3)) == [.accepted, .accepted, .accepted])
        #expect(await content() == "scan 1\nscan 2\nscan 3\n")
        await output.stop()
    }

    @Test("A missing folder is a state, and is found when it comes")
    func missingFolder() async throws {
        let inner = folder.file("later")
        let output = try await open(settings { $0.path = inner + "/scans" })
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("the folder of \(inner)/scans is missing") == true)
        guard case .failed(_, retry: true) = await output.deliver(Fixtures.scan()) else {
            return #expect(Bool(false), "there is nowhere to write")
        }
        mkdir(inner, 0o755)
        defer {
            unlink(inner + "/scans")
            rmdir(inner)
        }
        _ = await output.states.first { $0.state == .ready }
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }

    @Test("A path that isn't a file is recognised without touching it")
    func noFile() async throws {
        mkfifo(folder.file("fifo"), 0o600)
        for (path, says) in [
            (folder.path, "is a folder"), (folder.file("fifo"), "is a FIFO"), ("/dev/null", "is a device"),
            ("/etc/hostname/x", "a file, not a folder"),
        ] {
            let output = try await open(settings { $0.path = path })
            let status = await output.states.first { $0.state == .waiting }
            #expect(status?.detail?.contains(says) == true, "\(status?.detail ?? "")")
            await output.stop()
        }
    }

    @Test("Two stations don't share a file")
    func inUse() async throws {
        let first = try await open(settings())
        _ = await first.states.first { $0.state == .ready }
        let second = try await open(settings())
        let status = await second.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("written by another station") == true)
        await first.stop()
        _ = await second.states.first { $0.state == .ready }
        await second.stop()
    }

    @Test(
        "Each trouble has words of its own",
        arguments: [
            (EROFS, "read-only"), (EACCES, "no permission to open"), (ENOSPC, "the disk is full"), (EDQUOT, "quota"),
            (EISDIR, "is a folder"), (ELOOP, "in a circle"), (EIO, "Input/output error"),
        ])
    func words(code: Int32, says: String) {
        #expect(FileProblem.error("open", "/x/scans", SystemError(code)).message.contains(says))
    }

    @Test("Through the dispatcher, a full disk loses and repeats nothing")
    func dispatched() async throws {
        let room = Counter(30)
        var calls = FileCalls()
        calls.write = { descriptor, bytes, offset in
            let count = min(bytes.count - offset, room.value)
            guard count > 0 else { return .failed(SystemError(ENOSPC)) }
            room.count(-count)
            return descriptor.write(bytes, from: offset, limit: count)
        }
        calls.hasRoom = { _, count in room.value >= count }
        let output = try FileOutput(
            name: "file", settings: settings(), secrets: .withheld, limits: Self.quick, calls: calls)
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal)
        await dispatcher.start()
        for event in scans(1...9) { dispatcher.submit(journal.keep { $0 = event }) }
        _ = await dispatcher.stateChanges.first { $0.state == "waiting" }
        room.count(1000)
        #expect(await dispatcher.receipts.next(9).map(\.isAccepted) == Array(repeating: true, count: 9))
        #expect(await content() == (1...9).map { "scan \($0)\n" }.joined())
        await dispatcher.stop()
    }
}
