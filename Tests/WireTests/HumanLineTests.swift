import Payloads
import Testing

@testable import Wire

@Suite("Lines for people")
struct HumanLineTests {
    private func render(_ event: Event) throws -> String {
        try HumanLine.render(parsed(event.line(secrets: .asConfigured)), in: { _ in 7200 })
    }

    @Test("A scan shows number, symbology, text and meaning")
    func scan() throws {
        #expect(
            try render(scanEvent("https://example.com/"))
                == #"08:14:40.125 +02:00  #42 qr_code  "https://example.com/"  url"#)
        #expect(
            try render(scanEvent("tel:+1", symbology: .aztec) { $0.frame.label = "a.jpg" })
                == #"08:14:40.125 +02:00  #42 aztec  "tel:+1"  phone: +1  in a.jpg"#)
    }

    @Test("Nothing in a code can control the terminal or hide what it is")
    func control() throws {
        let line = try render(
            scanEvent("a\u{1B}[2J\r\n\u{1D}\u{0}\u{7F}\u{9B}31m\u{202E}gpj.exe\u{200B}\u{2028}é", payload: .text))
        #expect(
            line.hasSuffix(#""a<ESC>[2J<CR><LF><GS><NUL><DEL><U+009B>31m<U+202E>gpj.exe<U+200B><U+2028>é""#), "\(line)")
    }

    @Test("Every event and reply is one safe line")
    func everything() throws {
        let lines =
            try Samples.events().map { try parsed($0.line(secrets: .asConfigured)) }
            + Samples.replies().map { try parsed($0) }
        for line in lines {
            let rendered = HumanLine.render(line)
            #expect(!rendered.isEmpty)
            #expect(rendered.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        }
    }

    @Test("A code with a secret shows what it is for, not its text")
    func secrets() throws {
        let wifi = try render(scanEvent("WIFI:T:WPA;S:Office;P:swordfish1;;"))
        #expect(wifi.hasSuffix(#"wifi: network "Office" (wpa)"#))
        let otp = try render(scanEvent("otpauth://totp/Acme:me?secret=MFRAMFRA"))
        #expect(otp.hasSuffix(#"otp: key for "Acme" me"#))
        let matter = try render(scanEvent("MT:Y.K9042C00KA0648G00"))
        #expect(matter.hasSuffix("qr_code  secret: matter"))
        let link = try render(scanEvent("https://user:swordfish@example.com/a"))
        #expect(link.contains(#"  "https://user:(redacted)@example.com/a"  url"#) && !link.contains("swordfish"))
    }

    @Test("Bytes that aren't text are counted")
    func undecodable() throws {
        let line = try render(
            scanEvent(payload: .text) {
                $0.symbol.text = nil
                $0.symbol.bytes = [1, 2, 255]
            })
        #expect(line.hasSuffix("(3 bytes that aren't text)"))
    }

    @Test("The other events read as sentences")
    func others() throws {
        let lines = try Samples.otherEvents().map(render)
        #expect(lines.contains("08:14:40.125 +02:00  no read: timeout  after 1.5 s"))
        #expect(lines.contains("08:14:40.125 +02:00  camera: unavailable  (notFound)  Is the cable in?"))
        #expect(lines.contains("08:14:40.125 +02:00  host refused #42  unknown item"))
        #expect(lines.contains("08:14:40.125 +02:00  error in serial: Plug it in again"))
        #expect(HumanLine.render(["type": "reply", "command": "torch", "ok": true]) == "torch: done")
        #expect(HumanLine.render(["type": "reply", "command": "torch", "ok": false, "error": "none"]) == "torch: none")
    }

    @Test("An answer says which scan, what, and by whom; one that came too late says so")
    func answers() throws {
        func line(_ answer: AnswerEvent) throws -> String {
            try String(
                render(Event(stamp: stamp, body: .answer(answer))).dropFirst("08:14:40.125 +02:00  ".count))
        }
        #expect(
            try line(AnswerEvent(scan: "x", sequence: 175, verdict: .accepted, by: "control", isLate: true))
                == "#175 accepted by control (too late for the relay)")
        #expect(
            try line(AnswerEvent(scan: "x", sequence: 7, verdict: .refused, by: "till", reason: "sold out"))
                == "#7 refused by till  sold out")
        #expect(try line(AnswerEvent(scan: "x", sequence: 8, verdict: .none)) == "#8: no host answered in time")
    }

    @Test("A clock that isn't set is not told behind each line")
    func clock() throws {
        var event = try #require(Samples.otherEvents().first)
        event.stamp.isClockSynced = false
        let unset = try render(event)
        event.stamp.isClockSynced = true
        #expect(try render(event) == unset)
    }

    @Test(
        "An unknown or nonsensical line is shown as it is, escaped",
        arguments: [["type": "new"], [1, "\u{1B}"], .null] as [JSONValue])
    func unknown(line: JSONValue) { #expect(!HumanLine.render(line).contains("\u{1B}")) }

    @Test("A long text is cut")
    func long() { #expect(TerminalText.escape("aaaa", limit: 3) == "aaa…") }
}
