import ConsoleAccess
import Testing
import Wire

@testable import Console

@Suite("Console: formats") struct FormatTests {
    @Test("lines and pixels come out as they went in, wherever the stream is cut")
    func splitter() {
        let pixels = (0..<50).map { UInt8($0) }
        let stream = Array("first\n\nsecond\n".utf8) + pixels + Array("third\n".utf8)
        for size in 1...stream.count {
            var splitter = LinkSplitter()
            var parts: [LinkSplitter.Part] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                splitter.add(Array(stream[start..<min(start + size, stream.count)]))
                while let part = splitter.next() {
                    parts.append(part)
                    if part == .line(Array("second".utf8)) { splitter.expectPixels(50) }
                }
            }
            #expect(
                parts == [
                    .line(Array("first".utf8)), .line(Array("second".utf8)), .pixels(pixels),
                    .line(Array("third".utf8)),
                ])
        }
        var splitter = LinkSplitter(maxLineBytes: 10)
        splitter.add([UInt8](repeating: 65, count: 11))
        #expect(splitter.next() == .overlong)
        #expect(splitter.next() == nil)
    }

    @Test("a password that deploy/image/prepare hashed is one")
    func passwordFromCard() throws {
        let hash = try #require(
            PasswordHash("$scrypt$ln=14,r=8,p=5$xWKG5iM57dILOEYjWzIJ7g$YxoyJqfYIq40KrDeRs6YAOIEeJ4dd2pAKts6RSxi9MQ"))
        #expect(hash.matches("tell nobody") && !hash.matches("tell somebody"))
    }

    @Test("a scan's place in the journal becomes the event's id")
    func event() {
        let event = StreamEvent(
            line: Array(#"{"v":1,"type":"scan","journal":"01a1fd0d-e1c3","seq":7,"text":"a\nid: x"}"#.utf8))
        #expect(
            String(buffer: event.buffer)
                == "id: 01a1fd0d-e1c3:7\nevent: scan\ndata: {\"v\":1,\"type\":\"scan\",\"journal\":\"01a1fd0d-e1c3\",\"seq\":7,\"text\":\"a\\nid: x\"}\n\n"
        )
        let state = StreamEvent(line: Array(#"{"v":1,"type":"state","part":"camera"}"#.utf8))
        #expect(state.place == nil)
        #expect(String(buffer: state.buffer).hasPrefix("event: state\ndata: {"))
    }

    @Test(
        "a journal's name that would end the line is no id",
        arguments: ["a\nb:1", "x:1", ":1", "ab:", "ab:-1", "ab:+1", "ab:1.5", "ab"])
    func places(_ text: String) { #expect(StreamEvent.JournalPlace(text) == nil) }

    @Test("routes are found by method and path; the rest is told apart")
    func routes() {
        func operation(_ method: String, _ path: String) -> RouteTable.Operation? {
            if case .found(let route, _) = RouteTable.find(method, path) { route.operation } else { nil }
        }
        #expect(operation("GET", "/scans/export") == .exportScans)
        #expect(operation("GET", "/scans/01a1") == .readScan)
        #expect(operation("GET", "/scans") == .listScans)
        #expect(RouteTable.find("GET", "/scans/") == .nothing)
        #expect(RouteTable.find("GET", "/scans/a%2Fb") == .found(RouteTable.routes[8 + 1], ["id": "a/b"]))
        #expect(RouteTable.find("GET", "/scans/%zz") == .nothing)
        #expect(RouteTable.find("GET", "/scans/%ff") == .nothing)
        #expect(RouteTable.find("GET", "/scans/" + String(repeating: "a", count: 257)) == .nothing)
        #expect(RouteTable.find("GET", "") == .nothing)
        #expect(RouteTable.find("GET", "/state/") == .nothing)
        #expect(RouteTable.find("POST", "/state") == .otherMethods(["GET"]))
        #expect(RouteTable.find("PURGE", "/session") == .otherMethods(["DELETE", "GET", "POST"]))
        #expect(Set(RouteTable.routes.map(\.operation)) == Set(RouteTable.Operation.allCases))
    }

    @Test("the description of the API has every route, and no other")
    func openAPI() throws {
        let document = try JSONValue(parsing: OpenAPIDocument.bytes)
        var described: Set<String> = []
        for (path, methods) in try #require(document["paths"]?.objectValue) {
            for (method, operation) in try #require(methods.objectValue) {
                described.insert("\(method.uppercased()) \(path) \(operation["operationId"]?.stringValue ?? "?")")
                let route = RouteTable.routes.first { $0.path == path && $0.method == method.uppercased() }
                let isOpen = operation["security"]?.arrayValue?.isEmpty
                #expect(isOpen == (route?.access == .open), "\(method) \(path)")
                if case .scope(let scope) = route?.access {
                    #expect(
                        operation["description"]?.stringValue?.contains("`\(scope.rawValue)`") == true,
                        "\(method) \(path)")
                }
            }
        }
        #expect(described == Set(RouteTable.routes.map { "\($0.method) \($0.path) \($0.operation.rawValue)" }))
    }

    @Test(
        "only plain names below the folder of pages are files",
        arguments: [
            "", "/..", "/assets/../x.js", "/assets/.hidden.js", "/assets//a.js", "/assets/%2e%2e/a.js", "/etc/passwd",
            "assets/a.js",
            "/assets/a\\b.js", "/assets/a b.js", "/assets/a/b/c/d/e/f.js", "/assets/", "/index.html",
            "/assets/\u{e9}.js",
        ])
    func pageNames(_ path: String) {
        let name = PageFiles.name(of: path)
        #expect(name == nil)
    }

    @Test("pages that are files")
    func pages() {
        #expect(PageFiles.name(of: "/") == "index.html")
        #expect(PageFiles.name(of: "/assets/pages/live.js") == "assets/pages/live.js")
    }

    @Test("a spreadsheet takes no scan for a formula, and no quote ends a cell")
    func table() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] { #expect(ScanTable.cell(text) == "\"'\(text)\"") }
        #expect(ScanTable.cell("a\"b,c\r\nd") == "\"a\"\"b,c\r\nd\"")
        let row = ScanTable.row(["time": "2026", "seq": 7, "text": .null, "payload": ["kind": "url"], "id": "x"])
        #expect(String(decoding: row, as: UTF8.self) == "\"2026\",7,,\"url\",,\"x\",,,\r\n")
        let told = ScanTable.row([
            "seq": 8,
            "receipts": [
                ["output": "=stock", "outcome": "accepted", "reason": .null],
                ["output": "till", "outcome": "refused", "reason": "no \"such\" article"],
            ], "answer": ["verdict": "refused"],
        ])
        #expect(
            String(decoding: told, as: UTF8.self)
                == ",8,,,,,,\"'=stock: accepted; till: refused (no \"\"such\"\" article)\",\"refused\"\r\n")
    }

    @Test("tokens are kept as hashes, found by their secret alone, and end")
    func tokens() throws {
        var book = TokenBook()
        func token(_ name: String, _ expires: Int64?) -> TokenBook.Token {
            TokenBook.Token(
                id: name, name: name, scopes: [.view], created: 1, expires: expires,
                hash: Secrets.hash("secret-\(name)"))
        }
        try book.add(token("a", 100))
        try book.add(token("b", nil))
        #expect(!String(decoding: book.bytes, as: UTF8.self).contains("secret-"))
        book = try TokenBook(parsing: book.bytes)
        #expect(book.find("secret-a", at: 99) == .valid(token("a", 100)))
        #expect(book.find("secret-a", at: 100) == .expired(token("a", 100)))
        #expect(book.find("secret-b", at: .max) == .valid(token("b", nil)))
        #expect(book.find("secret-", at: 0) == .unknown)
        #expect(book.find("", at: 0) == .unknown)
        #expect(book.remove("a") == true)
        #expect(book.remove("a") == false)
        #expect(book.find("secret-a", at: 0) == .unknown)
        for number in 1..<TokenBook.most { try book.add(token("\(number)", nil)) }
        #expect(throws: AccessError.self) { try book.add(token("x", nil)) }
        for text in ["", "{}", "{\"v\":2,\"tokens\":[]}", "{\"v\":1,\"tokens\":[{}]}", "[]"] {
            #expect(throws: AccessError.self) { try TokenBook(parsing: Array(text.utf8)) }
        }
    }

    @Test("arguments")
    func arguments() {
        var wanted = ConsoleOptions()
        (wanted.socket, wanted.port, wanted.address, wanted.endsWithParent) = ("/s", 0, .network, true)
        let words = ["--socket", "/s", "--port=0", "--address", "network", "--with-parent"]
        #expect(ConsoleOptions.parse(words, version: "1") == .run(wanted))
        #expect(ConsoleOptions.parse(["--version"], version: "1.2") == .say("scanstation-console 1.2\n"))
        for wrong in [
            ["--port", "x"], ["--port", "70000"], ["--address", "dock-1.local"], ["--sock", "/s"], ["--socket"], ["x"],
            ["--with-parent=1"],
        ] {
            if case .wrong(let text) = ConsoleOptions.parse(wrong, version: "1") {
                #expect(text.contains(wrong[0].prefix(5)))
            } else {
                Issue.record("\(wrong) is taken")
            }
        }
    }
}
