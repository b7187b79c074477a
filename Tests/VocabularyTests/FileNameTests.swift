import Testing
import Vocabulary

struct FileNameTests {
    @Test func `text is shown as it is, other bytes by their numbers`() {
        #expect(FileName("Küche/日本.png").description == "Küche/日本.png")
        #expect(FileName(bytes: Array("caf".utf8) + [0xE9] + Array(".jpg".utf8)).description == "caf\\xE9.jpg")
        #expect(FileName(bytes: [0xC3, 0xBC, 0xFF, 0x05, 0xC3]).description == "ü\\xFF\u{5}\\xC3")
        #expect(FileName("").description == "")
    }

    @Test func `the last part, its ending and whether it is hidden`() {
        #expect(FileName("/a.b/photo.JPG").ending == "jpg")
        #expect(FileName("/a.b/photo").ending == nil)
        #expect(FileName("/a/.trash").isHidden && !FileName("/.a/b").isHidden)
        #expect(FileName("/a/b").last == FileName("b") && FileName("b").last == FileName("b"))
        #expect(FileName("/a").appending(FileName("b")) == FileName("/a/b"))
        #expect(FileName("/a/").appending(FileName("b")) == FileName("/a/b"))
    }

    @Test func `bytes go through C and back`() {
        let name = FileName(bytes: [0x2F, 0xFF, 0x61])
        #expect(name.withCString { FileName(cString: $0) } == name)
    }
}
