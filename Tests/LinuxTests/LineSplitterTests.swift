import Testing

@testable import Linux

@Suite("Line splitter")
struct LineSplitterTests {
    private func lines(_ parts: [LineSplitter.Part]) -> [String] {
        parts.map { part in
            switch part {
            case .line(let bytes): String(decoding: bytes, as: UTF8.self)
            case .overlong: "OVERLONG"
            }
        }
    }

    @Test("However the bytes are cut, the lines are the same", arguments: 1...12)
    func anyCut(size: Int) {
        var splitter = LineSplitter(maxLineBytes: 100)
        let bytes = Array("one\r\n\n\ntwo\nthree".utf8)
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += lines(splitter.add(Array(bytes[start..<min(start + size, bytes.count)])))
        }
        #expect(found == ["one", "two"])
        #expect(lines(splitter.finish()) == ["three"])
    }

    @Test("A line of exactly the limit passes, one byte more doesn't, and nothing comes after it")
    func limit() {
        var splitter = LineSplitter(maxLineBytes: 4)
        #expect(lines(splitter.add(Array("1234\n12345\nok\n".utf8))) == ["1234", "OVERLONG"])
        #expect(splitter.add(Array("more\n".utf8)).isEmpty)
        #expect(splitter.finish().isEmpty)
    }

    @Test("A line of exactly the limit passes with its carriage return, too, however it comes in", arguments: 1...6)
    func limitInChunks(size: Int) {
        var splitter = LineSplitter(maxLineBytes: 4)
        let bytes = Array("1234\r\n5678\r\n12345\r\n".utf8)
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += lines(splitter.add(Array(bytes[start..<min(start + size, bytes.count)])))
        }
        #expect(found == ["1234", "5678", "OVERLONG"])
    }

    @Test("A line without an end is refused as soon as it is too long")
    func endless() {
        var splitter = LineSplitter(maxLineBytes: 4)
        #expect(splitter.add(Array("1234".utf8)).isEmpty)
        #expect(lines(splitter.add(Array("5".utf8))) == ["OVERLONG"])
    }
}
