import Glibc
import TestSupport
import Testing

@testable import Linux

@Suite("Small files", .timeLimit(.minutes(10)))
struct FilesTests {
    private let folder = TemporaryFolder()

    @Test("A file as long as the limit comes whole, a longer one up to there", arguments: [0, 1, 65_536, 200_000])
    func limit(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let path = try folder.write("a", bytes)
        #expect(Files.read(path, limit: count) == .bytes(bytes))
        #expect(Files.read(path, limit: count + 1, isPlain: true) == .bytes(bytes))
        guard count > 0 else { return }
        #expect(Files.read(path, limit: count - 1) == .tooLong(Array(bytes.dropLast())))
        #expect(Files.read(path, limit: count - 1).start?.count == count - 1)
    }

    @Test("What isn't there is missing; a link is followed unless it mustn't be")
    func missing() throws {
        let path = try folder.write("a", "text")
        #expect(Files.read(folder.file("b"), limit: 9) == .missing(SystemError(ENOENT)))
        #expect(Files.read("\(path)/b", limit: 9) == .missing(SystemError(ENOTDIR)))
        #expect(symlink(path, folder.file("link")) == 0)
        #expect(Files.read(folder.file("link"), limit: 9) == .bytes(Array("text".utf8)))
        #expect(Files.read(folder.file("link"), limit: 9, followsLink: false) == .failed(SystemError(ELOOP)))
        #expect(Files.text(of: path) == "text")
        #expect(Files.text(of: folder.file("b")) == nil)
    }

    @Test("A folder isn't read, and a pipe that nobody writes to isn't waited for")
    func others() {
        #expect(Files.read(folder.path, limit: 9) == .failed(SystemError(EISDIR)))
        #expect(Files.read(folder.path, limit: 9, isPlain: true) == .notAFile(SystemError(EISDIR)))
        #expect(Files.text(of: folder.path) == nil)
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(Files.read(pipe, limit: 9) == .bytes([]))
        #expect(Files.read(pipe, limit: 9, isPlain: true) == .notAFile(SystemError(EINVAL)))
    }

    @Test("Users and groups have names and numbers")
    func accounts() {
        #expect(Accounts.userName(0) == "root")
        #expect(Accounts.userID("root") == 0)
        #expect(Accounts.groupName(0) == "root")
        #expect(Accounts.groupID("root") == 0)
        #expect(Accounts.userID("no such user") == nil)
        #expect(Accounts.groupID("no such group") == nil)
        #expect(Accounts.userName(4_000_000_000) == nil)
        #expect(Files.userName(4_000_000_000) == "4000000000")
        #expect(Files.groupName(4_000_000_000) == "4000000000")
        #expect(Files.groupID("4711") == 4711)
    }
}
