import ControlSupport
import Glibc
import Linux
import TestSupport
import Testing

@testable import Control

/// Where everybody may make files, the socket's folder is ours alone, and nobody can stop a start or catch commands.
@Suite("The socket's folder and its owner", .timeLimit(.minutes(10)))
struct SocketOwnerTests {
    /// Stands for `/tmp`.
    private let temporary = TemporaryFolder()

    init() throws { try #require(chmod(temporary.path, 0o1777) == 0) }

    private func open(_ name: String) throws -> SocketListener {
        try SocketListener.open(path: temporary.file(name), mode: 0o600, group: nil)
    }

    @Test("A folder made there is closed to others")
    func closed() throws {
        let listener = try open("mine/s.sock")
        var status = stat()
        #expect(stat(temporary.file("mine"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        listener.removeFile()
        #expect(rmdir(temporary.file("mine")) == 0, "nothing is left in it")
    }

    @Test("Somebody who locks the folder doesn't prevent a start")
    func foreignLock() throws {
        let held = Descriptor(Glibc.open(temporary.path, O_RDONLY | O_CLOEXEC))
        #expect(flock(held.number, LOCK_EX) == 0)
        let listener = try open("s.sock")
        #expect(RawClient.connect(temporary.file("s.sock")) != nil)
        listener.removeFile()
        #expect(temporary.names.isEmpty)
    }

    @Test(
        "A folder that others can write, a file or a link in its place is refused", arguments: ["open", "link", "file"])
    func planted(kind: String) throws {
        let path = temporary.file("theirs")
        switch kind {
        case "link":
            try #require(mkdir(temporary.file("elsewhere"), 0o700) == 0)
            symlink(temporary.file("elsewhere"), path)
        case "file": try temporary.write("theirs", "")
        default: try #require(mkdir(path, 0o700) == 0 && chmod(path, 0o777) == 0)
        }
        let error = #expect(throws: ControlError.self) { try open("theirs/s.sock") }
        #expect(error?.code == .noPermission)
        #expect(error?.message.contains("XDG_RUNTIME_DIR") == true, "\(error?.message ?? "")")
        rmdir(temporary.file("elsewhere"))
        rmdir(path)
    }

    @Test(
        "Another user's folder is refused, and his lock file is no hindrance",
        .enabled(if: geteuid() == 0, "needs root"))
    func foreignFolder() throws {
        try #require(mkdir(temporary.file("theirs"), 0o755) == 0)
        chown(temporary.file("theirs"), 4711, 4711)
        let error = #expect(throws: ControlError.self) { try open("theirs/s.sock") }
        #expect(error?.message.contains("belongs to user \"4711\"") == true)
        rmdir(temporary.file("theirs"))

        try temporary.write(".s.sock.lock", "")
        chown(temporary.file(".s.sock.lock"), 4711, 4711)
        let held = Descriptor(Glibc.open(temporary.file(".s.sock.lock"), O_RDWR | O_CLOEXEC))
        #expect(flock(held.number, LOCK_EX) == 0)
        let listener = try open("s.sock")
        listener.removeFile()
    }
}
