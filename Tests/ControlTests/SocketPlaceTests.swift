import ControlSupport
import Glibc
import Linux
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Control

@Suite("The console's socket")
struct ConsoleSocketPlaceTests {
    @Test(
        "is beside the control socket unless a place is configured",
        arguments: [
            ("/run/scanstation/station.sock", "/run/scanstation/console/console.sock"),
            ("/run/user/1000/scanstation.sock", "/run/user/1000/scanstation-console/console.sock"),
            ("/tmp/scanstation-1000/station.sock", "/tmp/scanstation-1000/console/console.sock"),
            ("/tmp/a", "/tmp/a-console/console.sock"), ("/a.sock", "/a-console/console.sock"),
            ("b.sock", "./b-console/console.sock"),
        ])
    func place(control: String, console: String) {
        var settings = ConsoleSettings()
        #expect(SocketPath.resolve(settings, control: control) == console)
        settings.socket = "/elsewhere/c.sock"
        #expect(SocketPath.resolve(settings, control: control) == "/elsewhere/c.sock")
    }
}

@Suite("The socket's place", .timeLimit(.minutes(10)))
struct SocketPlaceTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("station.sock") }

    private func open(mode: UInt32 = 0o660, group: String? = nil) throws -> SocketListener {
        try SocketListener.open(path: path, mode: mode, group: group)
    }

    private func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    @Test("The file has the mode asked for, whatever the umask", arguments: [0o600, 0o660, 0o666] as [UInt32])
    func mode(mode: UInt32) throws {
        let listener = try open(mode: mode)
        #expect(status(path).map { $0.st_mode & 0o777 } == mode)
        #expect(folder.names == ["station.sock"])
        listener.removeFile()
    }

    @Test(
        "The file belongs to the group asked for, by name or number",
        .enabled(if: geteuid() == 0, "changing to any group needs root"), arguments: ["dialout", "20"])
    func group(name: String) throws {
        let listener = try open(group: name)
        #expect(status(path)?.st_gid == Files.groupID(name))
        listener.removeFile()
    }

    @Test("A missing group is reported, and nothing is made")
    func unknownGroup() {
        let error = #expect(throws: ControlError.self) { try open(group: "no-such-group") }
        #expect(error?.message.contains(#"there is no group "no-such-group""#) == true)
        #expect(folder.names.isEmpty)
    }

    @Test("A socket on which nobody answers is replaced")
    func stale() throws {
        do {
            // Not removed: as after a crash.
            _ = try open()
        }
        #expect(folder.names == ["station.sock"])
        let listener = try open()
        #expect(RawClient.connect(path) != nil)
        listener.removeFile()
    }

    @Test("A socket on which a station answers stays, and the error names its process")
    func live() throws {
        let first = try open()
        let error = #expect(throws: ControlError.self) { try open() }
        #expect(error?.code == .otherStation)
        #expect(error?.message.contains("(process \(getpid()))") == true)
        #expect(RawClient.connect(path) != nil)
        first.removeFile()
    }

    @Test("A file that isn't a socket stays", arguments: ["file", "link", "folder"])
    func noSocket(kind: String) throws {
        switch kind {
        case "file": try folder.write("station.sock", "precious")
        case "link": symlink("/nowhere", path)
        default: mkdir(path, 0o700)
        }
        let error = #expect(throws: ControlError.self) { try open() }
        #expect(error?.code == .pathTaken)
        #expect(folder.names == ["station.sock"])
        rmdir(path)
    }

    @Test("A stop removes only a socket that is still ours")
    func foreign() throws {
        let first = try open()
        unlink(path)
        let second = try open()
        first.removeFile()
        #expect(RawClient.connect(path) != nil)
        second.removeFile()
        #expect(folder.names.isEmpty)
    }

    @Test(
        "A socket that is deleted while it is served is made again, and connected clients stay connected",
        arguments: ["gone", "folder"])
    func madeAgain(kind: String) async throws {
        var settings = ControlSettings()
        settings.socket = path
        var limits = ControlServer.Limits()
        limits.placeInterval = .milliseconds(1)
        let server = ControlServer(
            settings: settings, secrets: .asConfigured, limits: limits, door: SocketDoor(secretsLimit: nil)
        ) { command, _ in
            Reply(command: command.name)
        }
        try await server.start()
        let before = try #require(RawClient.connect(path))
        unlink(path)
        if kind == "folder" { mkdir(path, 0o700) }
        var notices = server.notices.makeAsyncIterator()
        if kind == "folder" {
            // In the way: told once, and looked at again until it is gone.
            while let notice = await notices.next() {
                guard case .socketGone(path, let reason) = notice else { continue }
                #expect(reason.contains("is not a socket"))
                break
            }
            #expect(await server.report().status.state == .waiting)
            rmdir(path)
        }
        while let notice = await notices.next(), notice != .socketBack(path: path) {}
        #expect(await server.report().status.state == .ready)
        let after = try #require(RawClient.connect(path))
        #expect(await after.ask(#"{"command":"status"}"#)?["ok"] == true)
        #expect(await before.ask(#"{"command":"status"}"#)?["ok"] == true)
        await server.stop()
        #expect(folder.names.isEmpty)
    }

    @Test("A path that fills the address to the last byte works; one byte more is refused")
    func length() throws {
        let room = UnixAddress.maxBytes - folder.path.utf8.count - 1
        let longest = folder.file(String(repeating: "s", count: room))
        let listener = try SocketListener.open(path: longest, mode: 0o600, group: nil)
        #expect(RawClient.connect(longest) != nil)
        listener.removeFile()
        let error = #expect(throws: ControlError.self) {
            try SocketListener.open(path: longest + "s", mode: 0o600, group: nil)
        }
        #expect(error?.code == .pathTooLong)
        #expect(error?.message.contains("108 bytes long, but the system takes at most 107") == true)
    }

    @Test(
        "A folder that was made for one socket goes with it, if nothing else is in it"
    )
    func ownFolder() throws {
        let own = folder.file("own-console")
        func open() throws -> SocketListener {
            try SocketListener.open(path: "\(own)/console.sock", mode: 0o600, group: nil, isAlone: true)
        }
        try open().removeFile()
        #expect(status(own) == nil)
        let listener = try open()
        _ = try folder.write("own-console/other", "")
        listener.removeFile()
        #expect(status(own) != nil)
        unlink(folder.file("own-console/other"))
        try open().removeFile()
        #expect(status(own) != nil, "it was there before")
    }

    @Test("The last folder of the path is made if it is missing, but not its parents")
    func missingFolder() throws {
        let made = folder.file("run")
        let listener = try SocketListener.open(path: "\(made)/s.sock", mode: 0o600, group: nil)
        #expect(RawClient.connect("\(made)/s.sock") != nil)
        listener.removeFile()
        rmdir(made)
        let error = #expect(throws: ControlError.self) {
            try SocketListener.open(path: folder.file("a/b/s.sock"), mode: 0o600, group: nil)
        }
        #expect(error?.message.contains("the folder above \(folder.file("a/b")) doesn't exist") == true)
    }

    @Test("Of stations that start at the same moment exactly one gets the socket", arguments: 1...20)
    func race(round: Int) async {
        let path = path
        do { _ = try? open() }  // A stale socket, which each of them finds.
        let listeners = await withTaskGroup(of: SocketListener?.self) { group in
            for _ in 0..<4 {
                group.addTask { await blocking { try? SocketListener.open(path: path, mode: 0o600, group: nil) } }
            }
            return await group.reduce(into: [SocketListener]()) { all, one in one.map { all.append($0) } }
        }
        #expect(listeners.count == 1)
        listeners.first?.removeFile()
    }

    @Test(
        "The default place depends on who asks",
        arguments: [
            (["RUNTIME_DIRECTORY": "/run/station"], 1000, "/run/station/station.sock"),
            (["RUNTIME_DIRECTORY": "/run/a:/run/b"], 1000, "/run/a/station.sock"),
            (["XDG_RUNTIME_DIR": "/run/user/0"], 0, "/run/scanstation/station.sock"),
            (["XDG_RUNTIME_DIR": "/run/user/1000"], 1000, "/run/user/1000/scanstation.sock"),
            ([:], 1000, "/tmp/scanstation-1000/station.sock"),
        ] as [([String: String], UInt32, String)])
    func defaults(environment: [String: String], user: UInt32, expected: String) {
        #expect(
            SocketPath.resolve(ControlSettings(), environment: { environment[$0] }, userID: user) == expected)
    }

    @Test("The command line finds a station of its own user's before the system's")
    func find() throws {
        let listener = try SocketListener.open(path: folder.file("scanstation.sock"), mode: 0o600, group: nil)
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        #expect(
            SocketPath.find(environment: { environment[$0] }, userID: 1000) == folder.file("scanstation.sock"))
        listener.removeFile()
    }
}
