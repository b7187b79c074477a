import Payloads
import Settings
import Testing
import Vocabulary

@testable import Wire

@Suite("The schema")
struct SchemaTests {
    private let schema: JSONValue
    private let validator: SchemaValidator

    init() throws {
        schema = try loadSchema()
        validator = SchemaValidator(root: schema, isStrict: true)
    }

    @Test("Every event fits, and has no field that isn't described")
    func events() throws {
        for event in Samples.events() {
            let faults = validator.faults(of: try parsed(event.line(secrets: .asConfigured)))
            #expect(faults.isEmpty, "\(text(event.line(secrets: .asConfigured)))")
        }
    }

    @Test("Events fit whatever becomes of secrets", arguments: SecretPolicy.allCases)
    func secrets(policy: SecretPolicy) throws {
        for event in Samples.scans() {
            #expect(validator.faults(of: try parsed(event.line(secrets: policy))).isEmpty)
        }
    }

    @Test("Pictures fit, read or not, and what isn't one doesn't")
    func pictures() throws {
        let codes = Samples.scans().compactMap { event -> PictureLine.Code? in
            guard case .scan(let scan) = event.body else { return nil }
            return PictureLine.Code(symbol: scan.scan.symbol, payload: scan.payload)
        }
        let size = FrameSize(width: 640, height: 480)
        let good = PictureLine(file: "a.png", size: size, codes: codes, error: nil, decodeTime: .milliseconds(3))
        let bad = PictureLine(file: "b.png", size: nil, codes: [], error: "no such file", decodeTime: .zero)
        for picture in [good, bad] {
            #expect(validator.faults(of: try parsed(picture.line(secrets: .asConfigured))) == [])
        }
        #expect(try parsed(good.line(secrets: .asConfigured))["codes"]?.arrayValue?.count == codes.count)
        #expect(validator.faults(of: try parsed(Array(#"{"v":1,"type":"picture","file":"a.png"}"#.utf8) + [10])) != [])
    }

    @Test("Every reply fits")
    func replies() throws {
        for line in Samples.replies() { #expect(try validator.faults(of: parsed(line)) == [], "\(text(line))") }
    }

    @Test("Every command fits, with and without a tag", arguments: [JSONValue?.none, .some(.null), .some(["a": [1]])])
    func commands(tag: JSONValue?) throws {
        for command in Samples.commands {
            #expect(validator.faults(of: try parsed(command.line(tag: tag))).isEmpty, "\(text(command.line()))")
        }
    }

    @Test("The samples have every event type, payload kind and command of the code and of the schema")
    func coverage() throws {
        let events = try Samples.events().map { try parsed($0.line(secrets: .asConfigured)) }
        #expect(Set(events.compactMap { $0["type"]?.stringValue }) == Set(Event.types))
        let kinds = Set(events.compactMap { $0["payload"]?["kind"]?.stringValue })
        #expect(kinds == Set(Payload.kinds))
        #expect(names(behind: "payload", prefix: "payload.") == kinds)
        #expect(names(behind: "event", prefix: "") == Set(Event.types))
        #expect(names(behind: "command", prefix: "command.") == Set(Command.names))
    }

    private func names(behind union: String, prefix: String) -> Set<String> {
        let references = schema["$defs"]?[union]?["oneOf"]?.arrayValue ?? []
        return Set(
            references.compactMap { $0["$ref"]?.stringValue?.dropFirst("#/$defs/\(prefix)".count) }.map(String.init))
    }

    @Test("Every definition is used and every reference leads somewhere")
    func references() {
        var used: Set<String> = []
        func walk(_ value: JSONValue) {
            if let reference = value["$ref"]?.stringValue { used.insert(String(reference.dropFirst("#/$defs/".count))) }
            for member in value.objectValue?.values ?? [:].values { walk(member) }
            for item in value.arrayValue ?? [] { walk(item) }
        }
        walk(schema)
        #expect(used == Set(schema["$defs"]?.objectValue?.keys ?? [:].keys))
    }

    @Test("A scan without one of its fields is rejected")
    func missingFields() throws {
        let scan = try parsed(scanEvent().line(secrets: .asConfigured))
        let required = [
            "v", "type", "id", "seq", "time", "clock", "boot", "station", "text", "bytes", "payload", "corners",
        ]
        for field in required {
            var members = scan.objectValue ?? [:]
            members[field] = nil
            #expect(!validator.faults(of: .object(members)).isEmpty, "\(field)")
        }
    }

    @Test(
        "A scan with a wrong field is rejected",
        arguments: [
            ("v", 2), ("v", "1"), ("type", "scanned"), ("seq", -1), ("seq", 1.5), ("seq", "42"),
            ("time", "2026-11-21 06:14:40"), ("clock", "maybe"), ("symbology", "QR_CODE"), ("text", 5),
            ("bytes", "not base64"), ("bytes", .null), ("payload", "url"), ("payload", ["kind": "link"]),
            ("payload", ["kind": "url"]), ("payload", ["kind": "text", "text": "x"]), ("corners", [[0, 0]]),
            ("corners", [[0, 0], [0, 0], [0, 0], [0, 0, 0]]), ("inverted", 0), ("addOn", "1"), ("frame", [:]),
            ("trigger", "button"), ("reads", "two"), ("decodeMs", -1), ("undescribed", 1),
        ] as [(String, JSONValue)])
    func wrongFields(field: String, value: JSONValue) throws {
        var members = try parsed(scanEvent().line(secrets: .asConfigured)).objectValue ?? [:]
        members[field] = value
        #expect(!validator.faults(of: .object(members)).isEmpty)
    }

    @Test(
        "Wrong replies and commands are rejected",
        arguments: [
            #"{"v":1,"type":"reply","command":"x","ok":true,"error":"e"}"#,
            #"{"v":1,"type":"reply","command":"x","ok":false}"#,
            #"{"type":"reply","command":"x","ok":true}"#, #"{"command":"dance"}"#, #"{"command":"torch"}"#,
            #"{"command":"torch","mode":"bright"}"#, #"{"command":"ack"}"#, #"{"command":"ack","id":""}"#,
            #"{"command":"focus","x":0.5}"#, #"{"command":"focus","x":0.5,"y":1.5}"#,
            #"{"command":"viewport","x":0,"y":0,"width":0,"height":1}"#,
            #"{"command":"viewport","x":0,"y":0,"width":1}"#,
            #"{"command":"relay","durationMs":0}"#, #"{"command":"set"}"#, #"{"command":"set","values":{}}"#,
            #"{"command":"subscribe","types":["scans"]}"#, "{}", "[]", "null", #""status""#,
        ])
    func wrongLines(line: String) throws {
        #expect(!validator.faults(of: try JSONValue(parsing: line.utf8)).isEmpty)
    }

    @Test("What the decoder takes as a command, the schema does too, and the other way round")
    func agreement() throws {
        let decoder = CommandDecoder()
        for line in SchemaTests.commandLines {
            let isCommand = (try? decoder.decode(line.utf8).get()) != nil
            let fits = validator.faults(of: try JSONValue(parsing: line.utf8)).isEmpty
            #expect(isCommand == fits, "\(line)")
        }
    }

    private static let commandLines = [
        #"{"command":"accept","id":5}"#, #"{"command":"accept"}"#, #"{"command":"relay","durationMs":"1"}"#,
        #"{"command":"relay","durationMs":3600000}"#, #"{"command":"relay","durationMs":3600001}"#,
        #"{"command":"viewport"}"#, #"{"command":"viewport","rule":"entire"}"#,
        #"{"command":"viewport","rule":"half"}"#,
        #"{"command":"viewport","x":-0.1,"y":0,"width":1,"height":1}"#, #"{"command":"subscribe"}"#,
        #"{"command":"subscribe","types":"scan"}"#, #"{"command":"set","values":[]}"#, #"{"command":"camera","id":""}"#,
        #"{"command":"refuse","reason":1}"#, #"{"command":"focus","x":"0","y":"0"}"#,
        #"{"command":"subscribe","after":0}"#, #"{"command":"subscribe","after":-1}"#,
        #"{"command":"subscribe","after":1.5}"#, #"{"command":"subscribe","after":"1"}"#,
        #"{"accept":true}"#, #"{"accept":false,"id":"a"}"#, #"{"accept":1}"#, #"{"accept":null}"#, #"{"id":"a"}"#,
        #"{"command":"accept","accept":true}"#, #"{"command":"accept","accept":false}"#,
        #"{"command":"refuse","accept":false}"#, #"{"command":"refuse","accept":true}"#,
        #"{"command":"refuse","accept":"no"}"#, #"{"command":"accept","id":""}"#,
        #"{"command":"refuse","relay":"soon","reason":[7]}"#, #"{"accept":true,"relay":10}"#,
        #"{"accept":true,"relay":9.999}"#, #"{"accept":true,"relay":60000}"#, #"{"accept":true,"relay":60000.5}"#,
        #"{"accept":true,"relay":-500}"#, #"{"accept":true,"relay":1e99}"#, #"{"accept":true,"relay":"500ms"}"#,
        #"{"accept":true,"relay":"1.5 s"}"#, #"{"accept":true,"relay":"500"}"#, #"{"accept":true,"relay":"-5s"}"#,
        #"{"accept":true,"relay":"1e1s"}"#, #"{"accept":true,"relay":[]}"#, #"{"command":"relay","durationMs":"2s"}"#,
        #"{"command":"subscribe","journal":7}"#, #"{"command":"subscribe","after":7,"journal":"j"}"#,
    ]
}
