import Foundation
import Payloads
import Settings
import Testing
import Vocabulary

@testable import Wire

@Suite("A scan's line, read back")
struct ScanEventReaderTests {
    let reader = ScanEventReader(interpreter: PayloadInterpreter(settings: ScanEventReaderTests.settings))

    static let settings: PayloadSettings = {
        var settings = PayloadSettings()
        settings.schemes = ["door"]
        return settings
    }()

    /// What the station makes: the payload is the interpreter's, with the year of a clock that is right.
    static func asScanned(_ event: Event) -> Event {
        guard case .scan(var body) = event.body else { return event }
        let year = event.stamp.isClockSynced ? 2026 : nil
        body.payload = PayloadInterpreter(settings: settings).interpret(body.scan.symbol, currentYear: year)
        if body.scan.sequence > Int64.max { body.scan.sequence = UInt64(Int64.max) }
        return Event(stamp: event.stamp, body: .scan(body))
    }

    static let events: [Event] = {
        let contents: [[UInt8]] = [
            [], [0], Array("a\u{0}b\u{1B}[2J\u{7F}\u{85}".utf8), [0xFF, 0xFE, 0x00, 0x1D, 0x80], Array(0...255),
            Array("é😀\"\\/\r\n\u{2028}".utf8), [UInt8](repeating: 0x41, count: 7089),
        ]
        var events = Samples.scans()
        events += contents.map { bytes in
            scanEvent(payload: .text) {
                $0.symbol.bytes = bytes
                $0.symbol.text = String(validating: bytes, as: UTF8.self)
            }
        }
        events += (Samples.payloadTexts + ["door://a/b"]).map { scanEvent($0) }
        for product in Samples.products {
            events.append(
                scanEvent(product.text, symbology: product.symbology) {
                    $0.symbol.aim = "]E0"
                    $0.symbol.addOn = product.addOn
                })
        }
        events += Samples.elementStrings.map { text in
            scanEvent(text, symbology: .code128) { $0.symbol.aim = "]C1" }
        }
        return events.map(asScanned)
    }()

    @Test("writes the same bytes again, whatever was in the code", arguments: SecretPolicy.allCases)
    func stable(policy: SecretPolicy) throws {
        for event in ScanEventReaderTests.events {
            let line = event.line(secrets: .revealed)
            let again = try reader.read(line)
            #expect(again.line(secrets: policy) == event.line(secrets: policy))
            #expect(try reader.read(again.line(secrets: .revealed)) == again)
        }
    }

    @Test("has every kind of payload among its samples")
    func kinds() {
        let kinds = Set(
            ScanEventReaderTests.events.compactMap { event in
                if case .scan(let scan) = event.body { scan.payload.kind } else { nil }
            })
        #expect(kinds == Set(Samples.payloads().map(\.kind)))
    }

    @Test("is the same event, except for what the line doesn't say")
    func fields() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let event = ScanEventReaderTests.asScanned(.random(using: &random))
            #expect(try reader.read(event.line(secrets: .revealed)) == event)
        }
    }

    @Test("places two-digit years around the year of its own time, when the clock was right")
    func year() throws {
        let event = scanEvent("17781231", symbology: .code128) { $0.symbol.aim = "]C1" }
        var late = event
        late.stamp.wallNanoseconds = WallTime.nanoseconds(rfc3339: "2051-01-01T00:00:00.000Z") ?? 0
        func payload(of event: Event) throws -> Payload? {
            if case .scan(let scan) = try reader.read(event.line(secrets: .asConfigured)).body {
                scan.payload
            } else {
                nil
            }
        }
        #expect(try payload(of: event) != payload(of: late))
        late.stamp.isClockSynced = false
        #expect(try payload(of: event) == payload(of: late))
    }

    @Test("cut anywhere is an error, never a crash")
    func cut() {
        let line = scanEvent().line(secrets: .asConfigured).dropLast()
        for length in line.indices {
            #expect(throws: ScanLineError.self) { try reader.read(line[..<length]) }
        }
    }

    @Test("damaged anywhere is an error or another event, never a crash")
    func damaged() {
        let line = Samples.scans().last.map { $0.line(secrets: .asConfigured) } ?? []
        for place in line.indices {
            for byte: UInt8 in [0, UInt8(ascii: "9"), UInt8(ascii: "\""), UInt8(ascii: "-"), 0xFF] {
                var bad = line
                bad[place] = byte
                _ = try? reader.read(bad)
            }
        }
    }

    @Test(
        "says what is wrong with it",
        arguments: [
            (#""v":1"#, #""v":2"#, "v is 2"), (#""type":"scan""#, #""type":"state""#, "type"),
            (#""seq":42"#, #""seq":-1"#, "seq isn't a whole number"), (#""seq":42,"#, "", "seq is missing"),
            ("qr_code", "tartan", "symbology"), (".125Z", ".125", "time"), ("2026-11-21", "2026-02-31", "time"),
            ("aHR0", "a!R0", "bytes isn't base64"), ("[0,1]]", "[0,1,2]]", "corners"),
            ("[0,1]]", "[0,1],[0,0]]", "corners"),
            (#""exposedMs":2000000"#, #""exposedMs":1e300"#, "frame.exposedMs is out of range"),
            (#""synced""#, #""maybe""#, "clock"), (#""frame":{"#, #""frame":[],"x":{"#, "frame is an array"),
        ])
    func message(part: String, replacement: String, expected: String) throws {
        let line = text(scanEvent().line(secrets: .asConfigured))
        let range = try #require(line.firstRange(of: part))
        let bad = line.replacingCharacters(in: range, with: replacement)
        let error = #expect(throws: ScanLineError.self) { try reader.read(Array(bad.utf8)) }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Times come back to the millisecond",
        arguments: [0, -1_000_000, 1_795_241_680_125_000_000, 951_825_599_999_000_000, Int64.min, .max])
    func time(nanoseconds: Int64) throws {
        let text = WallTime.rfc3339(nanoseconds: nanoseconds)
        let again = try #require(WallTime.nanoseconds(rfc3339: text))
        #expect(WallTime.rfc3339(nanoseconds: again) == text)
        #expect(abs(again / 2 - nanoseconds / 2) < 500_000)
    }
}

extension Event {
    /// A scan with any values that the line keeps.
    static func random(using random: inout some RandomNumberGenerator) -> Event {
        func microseconds() -> Int64 { Int64.random(in: 0...4_000_000_000_000, using: &random) * 1000 }
        func place() -> Point {
            Point(
                x: Double(Int.random(in: -2000...12000, using: &random)) / 10_000,
                y: Double(Int.random(in: 0...10000, using: &random)) / 10_000)
        }
        var event = scanEvent { scan in
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            scan.symbol.bytes = bytes
            scan.symbol.text = String(validating: bytes, as: UTF8.self)
            scan.symbol.symbology = Symbology.allCases.randomElement(using: &random) ?? .aztec
            scan.symbol.corners = Quad(place(), place(), place(), place())
            scan.symbol.isInverted = Bool.random(using: &random)
            scan.sequence = UInt64.random(in: 1...(1 << 62), using: &random)
            scan.session = UInt64.random(in: 0...9, using: &random)
            scan.reads = Int.random(in: 1...9, using: &random)
            scan.trigger = TriggerMode.allCases.randomElement(using: &random) ?? .pulse
            scan.frame.exposedAt = Instant(nanoseconds: microseconds())
            scan.frame.deliveredAt = Instant(nanoseconds: microseconds())
            scan.acceptedAt = Instant(nanoseconds: microseconds())
            scan.decodeTime = .microseconds(Int64.random(in: 0...5_000_000, using: &random))
            scan.frame.gain = Float(Int.random(in: 1...16, using: &random)) / 4
            scan.frame.focusFoM = Int32.random(in: .min ... .max, using: &random)
        }
        event.stamp.wallNanoseconds = microseconds() / 1_000_000 * 1_000_000 + 1_767_225_600_000_000_000
        event.stamp.isClockSynced = Bool.random(using: &random)
        return event
    }
}
