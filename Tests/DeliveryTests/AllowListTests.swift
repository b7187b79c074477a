import TestSupport
import Testing

@testable import Delivery

@Suite("Allow-list")
struct AllowListTests {
    private let folder = TemporaryFolder()

    private func list(_ text: String) throws(DeliveryError) -> AllowList {
        try AllowList(parsing: Array(text.utf8), file: "allowed.txt")
    }

    @Test("Lines count as they are; comments and empty lines don't count")
    func lines() throws {
        let list = try list("\u{FEFF}4006381333931\r\n# staff\n\nbadge 7\n badge 8\nlast")
        #expect(list.count == 4)
        for text in ["4006381333931", "badge 7", " badge 8", "last"] { #expect(list.contains(text), "\(text)") }
        for text in ["", "# staff", "badge 8", "badge 7 ", "400638133393", "LAST"] {
            #expect(!list.contains(text), "\(text)")
        }
    }

    @Test("Escapes stand for bytes that a text editor doesn't show")
    func escapes() throws {
        let list = try list(
            #"""
            01040063813339\x1D10ABC
            \x23hash
            back\\slash
            \xC3\xA9
            """#)
        for text in ["01040063813339\u{1D}10ABC", "#hash", "back\\slash", "é"] {
            #expect(list.contains(text), "\(text)")
        }
    }

    @Test("Texts that look the same but have different bytes are different")
    func exact() throws {
        let list = try list("caf\u{E9}\n")
        #expect(list.contains("caf\u{E9}"))
        #expect(!list.contains("cafe\u{301}"))
    }

    @Test("A line that can't be read is named", arguments: [#"\n"#, #"\x1"#, #"\x+1"#, #"end\"#, #"\xFF"#])
    func badLines(line: String) {
        let error = #expect(throws: DeliveryError.self) { try list("good\n\(line)\n") }
        #expect(error?.message.hasPrefix("allowed.txt:2: ") == true)
    }

    @Test("A file that isn't UTF-8 is refused")
    func notUTF8() {
        let error = #expect(throws: DeliveryError.self) {
            try AllowList(parsing: [0x41, 0x0A, 0xE9, 0x0A], file: "allowed.txt")
        }
        #expect(
            error?.message == "allowed.txt:2: this line is not UTF-8 text: save the file as UTF-8, one text per line")
    }

    @Test("It is read from a file; a missing file or a folder is reported")
    func files() throws {
        try folder.write("allowed.txt", "badge 7\n")
        #expect(try AllowList(path: folder.file("allowed.txt")).contains("badge 7"))
        let missing = #expect(throws: DeliveryError.self) { try AllowList(path: folder.file("nothing.txt")) }
        #expect(missing?.message.contains("nothing.txt: No such file or directory") == true)
        let isFolder = #expect(throws: DeliveryError.self) { try AllowList(path: folder.path) }
        #expect(isFolder?.message.contains("is not a file") == true)
    }

    @Test("A file beyond the limit is refused")
    func tooLarge() throws {
        let line = String(repeating: "x", count: 1023) + "\n"
        let text = String(repeating: line, count: AllowList.maxBytes / 1024) + "x"
        try folder.write("allowed.txt", text)
        let error = #expect(throws: DeliveryError.self) { try AllowList(path: folder.file("allowed.txt")) }
        #expect(error?.message.contains("larger than the limit of \(AllowList.maxBytes) bytes") == true)
    }
}
