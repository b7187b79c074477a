import Glibc
import TestSupport
import Testing

@testable import Linux

@Suite("A file that is replaced whole")
struct WholeFileTests {
    private let folder = TemporaryFolder()

    @Test("It has the new content and mode, and nothing is left beside it")
    func replaced() throws {
        let path = folder.file("a")
        try WholeFile.write(Array("one".utf8), to: path, mode: 0o600)
        try WholeFile.write([UInt8](repeating: 7, count: 300_000), to: path, mode: 0o640)
        #expect(Files.names(in: folder.path) == ["a"])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == 300_000 && status.st_mode & 0o777 == 0o640)
        try WholeFile.write([], to: path, mode: 0o600, owner: (geteuid(), getegid()))
        #expect(stat(path, &status) == 0 && status.st_size == 0)
    }

    @Test("What an interrupted write left is no obstacle, and a link there leads nowhere")
    func interrupted() throws {
        let path = folder.file("a")
        try folder.write("b", "untouched")
        #expect(symlink(folder.file("b"), folder.file(".a.\(getpid()).part")) == 0)
        try WholeFile.write([1], to: path, mode: 0o600)
        #expect(Files.text(of: folder.file("b")) == "untouched")
        // A link in the place of the file itself is replaced, too, not followed.
        unlink(path)
        #expect(symlink(folder.file("b"), path) == 0)
        try WholeFile.write([2], to: path, mode: 0o600)
        #expect(Files.text(of: folder.file("b")) == "untouched")
    }

    @Test("What can't be written leaves everything as it was")
    func refused() throws {
        #expect(throws: SystemError(ENOENT)) { try WholeFile.write([1], to: folder.file("x/y"), mode: 0o600) }
        #expect(mkdir(folder.file("d"), 0o700) == 0)
        #expect(throws: SystemError.self) { try WholeFile.write([1], to: folder.file("d"), mode: 0o600) }
        #expect(Files.names(in: folder.path) == ["d"])
        #expect(throws: SystemError(ENOENT)) { try WholeFile.move(folder.file("none"), to: folder.file("a")) }
    }

    @Test("The folder of a path", arguments: [("a", "."), ("/a", "/"), ("/a/b", "/a"), ("a/b/c", "a/b")])
    func folders(path: String, folder: String) { #expect(WholeFile.folder(of: path) == folder) }
}
