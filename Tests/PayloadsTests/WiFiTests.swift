import Settings
import Testing
import Vocabulary

@testable import Payloads

@Suite("Wi-Fi")
struct WiFiTests {
    @Test("The usual code gives name, security and password")
    func usual() throws {
        let wifi = try #require(payload("WIFI:T:WPA;S:Café Öl;P:correct horse;;").wifi)
        #expect(wifi.ssid == "Café Öl")
        #expect(wifi.security == .wpa)
        #expect(wifi.password?.reveal() == "correct horse")
        #expect(!wifi.isHidden)
        #expect(wifi.problems.isEmpty)
    }

    @Test("Escaped characters belong to the value")
    func escapes() throws {
        let wifi = try #require(payload(#"wifi:S:a\;b\:c\,d\"e\\f;T:WPA;P:\"quo\;ted\";H:true;;"#).wifi)
        #expect(wifi.ssid == #"a;b:c,d"e\f"#)
        #expect(wifi.password?.reveal() == #""quo;ted""#)
        #expect(wifi.isHidden)
    }

    @Test("A backslash before another character is itself")
    func strayBackslash() { #expect(payload(#"WIFI:S:a\b;;"#).wifi?.ssid == #"a\b"#) }

    @Test("Quotes around a name that could be hexadecimal are no part of it")
    func quotes() {
        #expect(payload(#"WIFI:S:"ABCD";;"#).wifi?.ssid == "ABCD")
        #expect(payload("WIFI:S:ABCD;;").wifi?.ssid == "ABCD")
    }

    @Test("A name that is too long for one is read as hexadecimal")
    func hexadecimal() throws {
        let wifi = try #require(payload("WIFI:S:436166c3a9204fcc88c3a9c3a9c3a9c3a9ff;;").wifi)
        #expect(wifi.ssidBytes.count == 18)
        #expect(wifi.ssidBytes.prefix(5) == [0x43, 0x61, 0x66, 0xC3, 0xA9])
        #expect(wifi.ssid.hasSuffix("\u{FFFD}"))
    }

    @Test(
        "The type names the security",
        arguments: [
            ("T:nopass;", WiFiPayload.Security.open), ("", .open), ("P:12345678;", .wpa), ("T:WEP;P:x;", .wep),
            ("T:WPA2;P:12345678;", .wpa), ("T:SAE;P:1;", .sae), ("T:WPA2-EAP;E:TTLS;", .eap), ("E:PEAP;", .eap),
            ("T:??;", .unknown),
        ])
    func security(fields: String, security: WiFiPayload.Security) {
        #expect(payload("WIFI:S:n;\(fields);").wifi?.security == security)
    }

    @Test("An enterprise network has its methods and identities")
    func enterprise() throws {
        let code = "WIFI:T:WPA2-EAP;S:campus;E:TTLS;PH2:MSCHAPV2;I:user@example.com;A:anon;P:pw;;"
        let wifi = try #require(payload(code).wifi)
        #expect(
            wifi.enterprise
                == WiFiPayload.Enterprise(
                    method: "TTLS", phase2: "MSCHAPV2", identity: "user@example.com", anonymousIdentity: "anon"))
        #expect(wifi.passwordIdentifier == nil)
        #expect(payload("WIFI:T:EAP;S:c;E:PEAP;H:GTC;;").wifi?.enterprise?.phase2 == "GTC")
    }

    @Test("WPA3's fields are read")
    func wpa3() throws {
        let wifi = try #require(payload("WIFI:T:WPA;R:5;S:n;I:guest;P:12345678;K:MDkw=;;").wifi)
        #expect(wifi.transitionDisable == 5)
        #expect(wifi.passwordIdentifier == "guest")
        #expect(wifi.publicKey == "MDkw=")
    }

    @Test(
        "What isn't right is said",
        arguments: ["T:WPA;", "T:WPA;P:short;", "T:nopass;P:x;", "T:FOO;", "R:xyz;"])
    func problems(fields: String) { #expect(payload("WIFI:S:n;\(fields);").wifi?.problems.count == 1) }

    @Test("A name that is too long is kept, and said to be")
    func longName() throws {
        let wifi = try #require(payload("WIFI:T:WPA;P:12345678;S:\(String(repeating: "n", count: 33));;").wifi)
        #expect(wifi.ssidBytes.count == 33)
        #expect(wifi.problems == ["the network's name has 33 bytes, at most 32 are possible"])
    }

    @Test("Without a name it is text", arguments: ["WIFI:", "WIFI:;;", "WIFI:T:WPA;P:;;", "WIFI:S:;;"])
    func nameless(text: String) { #expect(payload(text) == .text) }

    @Test("The password is printed only if the settings reveal it")
    func redaction() throws {
        let code = "WIFI:T:WPA;S:n;P:swordfish1;;"
        let hidden = payload(code)
        #expect(!"\(hidden)".contains("swordfish1"))
        #expect(!String(reflecting: hidden).contains("swordfish1"))
        var dumped = ""
        dump(hidden, to: &dumped)
        #expect(!dumped.contains("swordfish1"))
        #expect(hidden.holdsSecret)
        var settings = PayloadSettings()
        settings.revealSecrets = true
        #expect(payload(code, settings: settings).wifi?.password?.description == "swordfish1")
    }
}
