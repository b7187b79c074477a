import Glibc
import Settings
import Testing

@testable import Delivery

@Suite("Where a path leads")
struct FilePlaceTests {
    private let folder = TemporaryFolder()

    @Test("By links, hard links, .. and links to nothing yet, to the same place")
    func ways() throws {
        let name = folder.file("file")
        try #require(folder.write("x", to: "file"))
        let sub = folder.file("sub")
        mkdir(sub, 0o700)
        symlink(name, folder.file("link"))
        symlink("link", folder.file("second"))
        #expect(link(name, folder.file("hard")) == 0)
        symlink("../missing", sub + "/dangling")
        symlink(folder.path, folder.file("here"))
        let place = FilePlace(resolving: name)
        #expect(place.file != nil)
        for way in ["link", "second", "sub/../file", "here/sub/.././here//file"] {
            #expect(FilePlace(resolving: folder.file(way)) == place, "\(way)")
        }
        let hard = FilePlace(resolving: folder.file("hard"))
        #expect(hard.isSame(as: place) && hard.path != place.path)
        let missing = FilePlace(resolving: folder.file("missing"))
        #expect(missing.file == nil)
        #expect(FilePlace(resolving: sub + "/dangling") == missing)
        #expect(FilePlace(resolving: folder.file("here/missing")) == missing)
        #expect(!missing.isSame(as: place))
        for name in ["dangling"] { unlink("\(sub)/\(name)") }
        rmdir(sub)
    }

    @Test("A circle of links and names without a folder end somewhere")
    func ends() {
        symlink("b", folder.file("a"))
        symlink("a", folder.file("b"))
        #expect(FilePlace(resolving: folder.file("a")).file == nil)
        #expect(FilePlace(resolving: "").file == nil)
        let name = "no-such-file-\(getpid())"
        #expect(FilePlace(resolving: name).path == FilePlace(resolving: "./" + name).path)
        #expect(FilePlace(resolving: name).path.hasPrefix("/"))
        #expect(FilePlace(resolving: "/" + name).path == "/" + name)
    }
}
