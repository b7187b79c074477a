import Payloads
import Settings
import Testing
import Vocabulary

@testable import Wire

@Suite("Which scans a client wants")
struct ScanQueryTests {
    private func scan(_ text: String, _ symbology: Symbology = .qrCode, wallNanoseconds: Int64 = 1000) -> Event {
        var event = scanEvent()
        guard case .scan(var body) = event.body else { return event }
        body.scan.symbol.text = text
        body.scan.symbol.bytes = Array(text.utf8)
        body.scan.symbol.symbology = symbology
        body.payload = PayloadInterpreter(settings: PayloadSettings()).interpret(body.scan.symbol)
        event.body = .scan(body)
        event.stamp.wallNanoseconds = wallNanoseconds
        return event
    }

    @Test("Every condition must hold")
    func conditions() {
        let event = scan("https://example.org/Aisle-7")
        #expect(ScanQuery(secrets: .withheld).fits(event))
        #expect(
            ScanQuery(text: "aisle", kind: "url", symbology: "qr_code", from: 1000, to: 1001, secrets: .withheld).fits(
                event))
        #expect(!ScanQuery(text: "aisle-8", secrets: .withheld).fits(event))
        #expect(!ScanQuery(kind: "text", secrets: .withheld).fits(event))
        #expect(!ScanQuery(symbology: "ean_13", secrets: .withheld).fits(event))
        #expect(!ScanQuery(from: 1001, secrets: .withheld).fits(event))
        #expect(!ScanQuery(to: 1000, secrets: .withheld).fits(event))
        #expect(ScanQuery(text: event.scanID, secrets: .withheld).fits(event))
        #expect(
            !ScanQuery(secrets: .withheld).fits(
                Event(stamp: event.stamp, body: .state(StateEvent(part: "torch", state: "on")))))
    }

    @Test("A secret that is withheld can't be guessed by searching for it")
    func secrets() {
        let event = scan("WIFI:T:WPA;S:shop;P:swordfish1;;")
        #expect(!ScanQuery(text: "sword", secrets: .withheld).fits(event))
        #expect(ScanQuery(text: "sword", secrets: .revealed).fits(event))
        #expect(ScanQuery(kind: "wifi", secrets: .withheld).fits(event))
    }

    @Test("What a client may see of secrets comes from its socket, never from its command")
    func policy() throws {
        let line = #"{"command":"scans","secrets":"revealed"}"#
        let command = try CommandDecoder().decode(line.utf8).get().command
        #expect(command == .scans(ScanQuery(secrets: .withheld)))
        #expect(command.shown(.revealed) == .scans(ScanQuery(secrets: .revealed)))
        #expect(Command.scan(id: "a", secrets: .withheld).shown(.revealed) == .scan(id: "a", secrets: .revealed))
        #expect(Command.status.shown(.revealed) == .status)
    }
}
