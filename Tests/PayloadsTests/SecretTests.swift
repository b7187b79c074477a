import Settings
import Testing

@testable import Payloads

@Suite("Secrets")
struct SecretTests {
    @Test(
        "Codes that hold a secret are known, whether they are read any further or not",
        arguments: [
            ("otpauth-migration://offline?data=CjEKCkhlbGxvId6tvu8SGEV4YW1wbGU", SecretPayload.Format.otpMigration),
            ("OTPAUTH-MIGRATION:offline", .otpMigration), ("otpauth://steam/a?secret=MFRA", .otp),
            ("WIFI:P:swordfish;;", .wifi), ("wifi:T:WPA;P:swordfish1;;", .wifi), (" WIFI:P:\"x\";T:WEP;; ", .wifi),
            ("MT:Y.K9042C00KA0648G00", .matter), ("mt:-24J0AFN00KA0648G00", .matter),
            ("X-HM://00527813XPBFC", .homeKit),
            ("LPA:1$smdp.example.com$04386-AGYFT-A74Y8-3F815", .eSIM),
            ("90013463400312735300612305422650285012202900001000021000011234", .zWave),
            ("Z:00124B001A2B3C4D$I:83FED3407A939723A5C639B26916D505C3B5", .zigbee),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=", .privateKey),
            ("AGE-SECRET-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", .privateKey),
            ("[Interface]\nPrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n[Peer]", .privateKey),
            ("rtsp://admin:word@cam.local/1", .url), ("see https://pat:word@example.com/ there", .url),
            ("MEBKM:TITLE:t;URL:https\\://pat\\:word@h/;;", .url),
            ("postgres://pat:word@db/x", .url),
        ])
    func known(text: String, format: SecretPayload.Format) {
        let found = payload(text)
        #expect(found == .secret(SecretPayload(format: format)), "\(found)")
        #expect(found.holdsSecret)
    }

    @Test(
        "What only looks similar is what it was",
        arguments: [
            "MT:12", "MT: menu of the day, with soup", "WIFI:S:;;", "WIFI:T:WPA;;",
            "90013463401612735300612305422650985012",
            "9999999999999999999999999999999999999999999999999999", "X-HM", "LPA:2$x", "me@example.com", "a://b",
            "://://://@:", "Z:1$I", "user:word@host", "PRIVATE KEY",
        ])
    func others(text: String) { #expect(!payload(text).holdsSecret, "\(payload(text))") }

    @Test("A password in a link is removed from it, and shown only where secrets are")
    func links() throws {
        for (text, hidden, word) in [
            ("https://pat:word@example.com/a?b#c", "https://pat:(redacted)@example.com/a?b#c", "word"),
            ("HTTP://pat:w:o@h:8080", "HTTP://pat:(redacted)@h:8080", "w:o"),
            ("ftp://:word@h/", "ftp://:(redacted)@h/", "word"),
            ("https://a@b:c@h/", "https://a@b:(redacted)@h/", "c"),
            ("https://ghp_0123456789abcdefghij@h/", "https://(redacted)@h/", "ghp_0123456789abcdefghij"),
            ("URLTO:https://pat:word@h/", "https://pat:(redacted)@h/", "word"),
        ] {
            let found = payload(text)
            let link = try #require(found.url, "\(text)")
            #expect(found.holdsSecret)
            #expect(link.url == hidden)
            #expect(!"\(found)".contains(word + "@"))
            #expect(link.credential?.reveal() == word)
            #expect(link.url(showing: word) == text.replacing("URLTO:", with: ""))
        }
        var settings = PayloadSettings()
        settings.schemes = ["myapp"]
        let custom = try #require(payload("myapp://pat:word@h/a", settings: settings).url)
        #expect(custom.url == "myapp://pat:(redacted)@h/a")
    }

    @Test(
        "A link without a password is no secret, whatever stands before its host",
        arguments: [
            "https://example.com/@pat:word", "https://pat@example.com/", "https://www.bank.example.com@evil.example/",
            "https://pat:@example.com/", "https://example.com:8080/a?token=0123456789abcdefghijklmnop",
        ])
    func plainLinks(text: String) {
        #expect(!payload(text).holdsSecret)
        #expect(payload(text).url?.url == text)
    }
}
