import Testing

@testable import Wire

@Suite("JSON")
struct JSONTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return text(writer.bytes)
    }

    @Test(
        "Measured values are rounded and always finite",
        arguments: [
            (0.00004, 4, "0"), (0.00005, 4, "0.0001"), (-0.25, 4, "-0.25"), (-0.00001, 4, "0"), (1.0, 4, "1"),
            (123.456, 1, "123.5"), (1e300, 3, "4000000000000000"), (-1e300, 3, "-4000000000000000"), (.nan, 4, "0"),
            (.infinity, 4, "0"), (2.5, 0, "3"), (10.05, 9, "10.05"), (99, 12, "99"), (-0.0, 2, "0"),
        ])
    func fixed(value: Double, decimals: Int, expected: String) {
        #expect(written { $0.fixed(value, decimals: decimals) } == expected)
    }

    @Test("Other numbers are the shortest that read back; what isn't finite is null")
    func numbers() throws {
        for value in [0.1, 1e-7, 1e21, -Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3] {
            #expect(try JSONValue(parsing: Array(written { $0.number(value) }.utf8)) == .number(value))
        }
        #expect(written { $0.number(.nan) } == "null")
        #expect(written { $0.unsigned(.max) } == "18446744073709551615")
        #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    }

    @Test("Strings escape what must not be bare, and nothing else")
    func strings() {
        #expect(
            written { $0.string("a/b\"\\\n\r\t\u{8}\u{C}\u{1D}\u{7F}\u{9B}é\u{A0}😀") }
                == #""a/b\"\\\n\r\t\b\f\u001d\u007f\u009bé"# + "\u{A0}😀\"")
        #expect(written { $0.string("\u{85}") } == #""\u0085""#)
        #expect(written { $0.string("") } == #""""#)
    }

    @Test("Commas and nesting")
    func nesting() {
        let value: JSONValue = ["b": [1, [], [:], [2.5, .null]], "a": ["x": true, "y": "z"]]
        #expect(value.description == #"{"a":{"x":true,"y":"z"},"b":[1,[],{},[2.5,null]]}"#)
    }

    @Test(
        "Base64 as RFC 4648 has it",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test("Base64 of every byte comes back")
    func base64Bytes() {
        for count in 0...256 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        #expect(Base64.decode("a") == nil)
        #expect(Base64.decode("====") == nil)
        #expect(Base64.decode("a-b_") == nil)
    }

    @Test(
        "Wall time is RFC 3339 with milliseconds, rounded down",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (999_999, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (1_735_689_599_123_456_789, "2024-12-31T23:59:59.123Z"), (.max, "2262-04-11T23:47:16.854Z"),
            (.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func wallTime(nanoseconds: Int64, expected: String) {
        #expect(WallTime.rfc3339(nanoseconds: nanoseconds) == expected)
    }

    @Test(
        "JSON is read as it is meant",
        arguments: [
            ("null", .null), (" true ", true), ("-0", 0), ("-12", -12), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5e3", 1500.0), ("0.5", 0.5),
            ("1E-2", 0.01),
            (#""a\/\u00e9\ud83d\ude00\n\u0000""#, "a/é😀\n\u{0}"), ("[]", []), ("{}", [:]), ("[1,\t[\r\n]]", [1, []]),
            (#"{"a":{"b":[null]},"":1}"#, ["a": ["b": [.null]], "": 1]),
        ] as [(String, JSONValue)])
    func reading(text: String, value: JSONValue) throws { #expect(try JSONValue(parsing: text.utf8) == value) }

    @Test(
        "What isn't JSON is refused, with the place",
        arguments: [
            ("", 0), ("  ", 2), ("tru", 0), ("nul", 0), ("True", 0), ("01", 1), ("-", 1), ("1.", 2), (".5", 0),
            ("1e", 2),
            ("+1", 0), ("1 2", 2), ("[1,]", 3), ("[1", 2), ("{", 1), (#"{"a"}"#, 4), (#"{"a":1,}"#, 7), ("{a:1}", 1),
            (#"{"a":1,"a":2}"#, 7), (#""abc"#, 0), ("\"a\nb\"", 2), (#""\x""#, 1), (#""\u12g4""#, 5), (#""\ud800""#, 1),
            (#""\udc00""#, 1), (#""\ud800\u0041""#, 1), ("1e999", 0), ("NaN", 0), ("[1]]", 3), ("'a'", 0),
            ("// x\n1", 0),
            ("\u{FEFF}1", 0),
        ])
    func refusing(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text.utf8) }
        #expect(error?.offset == offset)
        #expect(error?.message.isEmpty == false)
    }

    @Test(
        "Bytes that aren't UTF-8 are refused",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]])
    func notUTF8(bytes: [UInt8]) { #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) } }

    @Test("Depth and size are limited")
    func limits() throws {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONValue(parsing: nested(32))
        #expect(throws: JSONError(offset: 32, message: "nested deeper than the limit of 32")) {
            try JSONValue(parsing: nested(33))
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,2]".utf8, limits: JSONLimits(maxBytes: 4)) }
    }

    @Test("Numbers that are whole count as integers")
    func accessors() {
        #expect(JSONValue.number(3).integerValue == 3)
        #expect(JSONValue.number(3.5).integerValue == nil)
        #expect(JSONValue.number(1e300).integerValue == nil)
        #expect(JSONValue.integer(3).doubleValue == 3)
        #expect(JSONValue.string("x")["y"] == nil)
    }

    @Test("Random and mutated bytes never trap, and what is read can be written and read again")
    func fuzz() throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 33) % max(1, bound)
        }
        let seeds =
            Samples.events().map { $0.line(secrets: .asConfigured) }
            + Samples.commands.map { $0.line(tag: ["a": [1.5, "\u{1F600}"]]) }
        let alphabet = Array(#"{}[]",:\u0123eE+-.tfn "#.utf8) + [0x00, 0x0A, 0xC3, 0xFF]
        for _ in 0..<10_000 {
            var bytes = seeds[next(seeds.count)]
            for _ in 0...next(4) where !bytes.isEmpty {
                let place = next(bytes.count)
                switch next(4) {
                case 0: bytes[place] = UInt8(next(256))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(alphabet[next(alphabet.count)], at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            if let value = try? JSONValue(parsing: bytes) { #expect(try JSONValue(parsing: value.bytes) == value) }
            _ = CommandDecoder().decode(bytes)
        }
    }
}
