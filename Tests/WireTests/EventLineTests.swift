import Payloads
import Settings
import Testing

@testable import Wire

@Suite("Lines of events and replies")
struct EventLineTests {
    @Test("A scan comes out in the order of the design, v and type first")
    func scan() {
        #expect(
            text(scanEvent("https://example.com/").line(secrets: .asConfigured))
                == #"{"v":1,"type":"scan","id":"019aa4e7-0000-7000-8000-000000000001","journal":"j-1","seq":42,"#
                + #""time":"2026-11-21T06:14:40.125Z","clock":"synced","boot":"5c0f6d1e-boot","station":"dock-1","#
                + #""trigger":"pulse","session":7,"symbology":"qr_code","aim":"]Q1","text":"https://example.com/","#
                + #""bytes":"aHR0cHM6Ly9leGFtcGxlLmNvbS8=","#
                + #""payload":{"kind":"url","url":"https://example.com/","scheme":"https","host":"example.com"},"#
                + #""numericOnly":false,"corners":[[0.25,0.125],[0.3333,0.1235],[0.5,1],[0,1]],"inverted":false,"reads":2,"#
                + #""decodeMs":3.1,"frame":{"seq":900,"exposedMs":2000000,"deliveredMs":2000020,"latencyMs":33.25}}"#
                + "\n")
    }

    @Test("The same event is the same line")
    func deterministic() {
        for (first, second) in zip(Samples.events(), Samples.events()) {
            #expect(first.line(secrets: .asConfigured) == second.line(secrets: .asConfigured))
        }
    }

    @Test("Every line is one line of valid UTF-8 JSON")
    func oneLine() throws {
        for event in Samples.events() {
            #expect(String(validating: event.line(secrets: .asConfigured), as: UTF8.self) != nil)
            _ = try parsed(event.line(secrets: .asConfigured))
        }
    }

    @Test(
        "Any text comes back from the line as it was",
        arguments: ["\u{0}\u{1B}[2J\u{7F}\u{85}\u{9B}", "é😀\"\\/", "a\r\nb\u{2028}"])
    func textRoundTrip(content: String) throws {
        let line = scanEvent(content, payload: .text).line(secrets: .asConfigured)
        #expect(try parsed(line)["text"] == .string(content))
        let hasControl = text(line).dropLast().unicodeScalars.contains {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
        }
        #expect(!hasControl)
    }

    @Test("Text that couldn't be decoded is null, its bytes are there")
    func undecodable() throws {
        let line = try parsed(
            scanEvent(payload: .text) {
                $0.symbol.text = nil
                $0.symbol.bytes = [0xFF, 0x00, 0x1D]
            }.line(secrets: .asConfigured))
        #expect(line["text"] == .null)
        #expect(line["bytes"]?.stringValue.flatMap(Base64.decode) == [0xFF, 0x00, 0x1D])
    }

    @Test("A password is in the payload only if it is revealed, and nowhere if it is withheld")
    func secrets() throws {
        let code = "WIFI:T:WPA;S:n;P:swordfish1;;"
        let usual = try parsed(scanEvent(code).line(secrets: .asConfigured))
        #expect(usual["payload"]?["password"] == .string(Secret.redacted))
        #expect(usual["text"] == .string(code))
        #expect(try parsed(scanEvent(code).line(secrets: .revealed))["payload"]?["password"] == "swordfish1")
        let withheld = scanEvent(code).line(secrets: .withheld)
        #expect(!text(withheld).contains("swordfish1"))
        #expect(try parsed(withheld)["text"] == .null)
        #expect(try parsed(withheld)["bytes"] == "")
        let harmless = scanEvent("plain")
        #expect(harmless.line(secrets: .withheld) == harmless.line(secrets: .asConfigured))
        var settings = PayloadSettings()
        settings.revealSecrets = true
        let shown = PayloadInterpreter(settings: settings).interpret(text: code)
        #expect(
            try parsed(scanEvent(code, payload: shown).line(secrets: .asConfigured))["payload"]?["password"]
                == "swordfish1")
        #expect(!text(scanEvent(code, payload: shown).line(secrets: .withheld)).contains("swordfish1"))
    }

    @Test("The other events have their fields")
    func others() {
        let lines = Samples.otherEvents().map { text($0.line(secrets: .asConfigured)) }
        let stampText =
            #""time":"2026-11-21T06:14:40.125Z","clock":"synced","boot":"5c0f6d1e-boot","station":"dock-1","#
        #expect(
            lines.contains(
                #"{"v":1,"type":"noRead","# + stampText
                    + #""trigger":"level","session":7,"reason":"timeout","durationMs":1500}"# + "\n"))
        #expect(
            lines.contains(
                #"{"v":1,"type":"state","# + stampText
                    + #""part":"camera","state":"unavailable","reason":"notFound","detail":"Is the cable in?","#
                    + #""found":[],"level":0.5,"type_":"clash","wanted":"cam0"}"# + "\n"))
        #expect(
            lines.contains(
                #"{"v":1,"type":"receipt","# + stampText
                    + #""output":"host","scan":"019aa4e7","seq":42,"accepted":false,"outcome":"refused","reason":"unknown item"}"#
                    + "\n"))
        #expect(
            lines.contains(
                #"{"v":1,"type":"answer","# + stampText
                    + #""scan":"019aa4e7","seq":42,"verdict":"accepted","by":"mqtt","late":false,"relay":true}"# + "\n")
        )
        #expect(
            lines.contains(
                #"{"v":1,"type":"error","# + stampText
                    + #""part":"serial","code":"unplugged","message":"Plug it in again"}"# + "\n"))
    }

    @Test("A reply echoes the tag and never has a key twice")
    func reply() throws {
        #expect(text(Reply(command: "torch").line()) == #"{"v":1,"type":"reply","command":"torch","ok":true}"# + "\n")
        let reply = Reply(command: "x", error: "no", fields: ["ok": 1, "ok_": 2, "a": 3])
        #expect(
            text(reply.line(tag: [1, "t"]))
                == #"{"v":1,"type":"reply","command":"x","ok":false,"tag":[1,"t"],"error":"no","a":3,"ok__":1,"ok_":2}"#
                + "\n")
    }
}
