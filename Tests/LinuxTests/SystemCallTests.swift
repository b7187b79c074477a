import Glibc
import TestSupport
import Testing

@testable import Linux

@Suite("C strings, pipes, folders and signals", .timeLimit(.minutes(10)))
struct SystemCallTests {
    private let folder = TemporaryFolder()

    @Test("C strings end with NULL, and nil is NULL")
    func strings() {
        let texts: [String?] = ["é", nil, ""]
        let copied = withConstantCStrings(texts) { pointers in
            (0..<4).map { pointers[$0].map { String(cString: $0) } }
        }
        #expect(copied == ["é", nil, "", nil])
        #expect(withCStrings([]) { $0[0] == nil })
        #expect(withConstantCStrings([]) { $0[0] == nil })
    }

    private func said(_ reader: Descriptor) -> String {
        switch reader.read(limit: 9) {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .nothing: "nothing"
        case .end: "end"
        case .failed(let error): error.text
        }
    }

    @Test("What is written into a pipe comes out, and no other program gets an end")
    func pipe() throws {
        var (reader, writer) = try { () throws in
            let pipe = try PipeEnds()
            return (pipe.reader, pipe.writer)
        }()
        for end in [reader, writer] { #expect(fcntl(end.number, F_GETFD) == FD_CLOEXEC) }
        #expect(said(reader) == "nothing")
        #expect(write(writer.number, "text", 4) == 4)
        #expect(said(reader) == "text")
        // Closes the write end.
        (reader, writer) = (reader, reader)
        #expect(said(reader) == "end")
    }

    @Test("A folder is made with those above it, or was there")
    func folders() throws {
        let path = folder.file("a/b/c")
        for _ in 0..<2 { try Files.makeFolder(path, mode: 0o700) }
        var status = stat()
        for made in ["a", "a/b", "a/b/c"] {
            #expect(stat(folder.file(made), &status) == 0 && status.st_mode & 0o777 == 0o700)
        }
        try Files.makeFolder("/", mode: 0o700)
        try Files.makeFolder(".", mode: 0o700)
        try folder.write("file", "")
        #expect(throws: Files.NoFolder(path: folder.file("file/b"), error: SystemError(ENOTDIR))) {
            try Files.makeFolder(folder.file("file/b/c"), mode: 0o700)
        }
    }

    @Test("A signal arrives once it is handled, each time")
    func signals() async {
        let (arrivals, sink) = AsyncStream<Int32>.makeStream()
        Signals.handle([SIGUSR1, SIGUSR2]) { sink.yield($0) }
        var next = arrivals.makeAsyncIterator()
        for number in [SIGUSR2, SIGUSR1, SIGUSR2] {
            #expect(kill(getpid(), number) == 0)
            #expect(await next.next() == number)
        }
    }
}
