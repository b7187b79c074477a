import Settings
import Testing

@testable import Payloads

@Suite("Web addresses")
struct URLTests {
    @Test(
        "An address with a scheme and a host is a URL",
        arguments: [
            ("https://example.com/a?b=c#d", "https", "example.com"),
            ("HTTP://Example.COM", "http", "example.com"),
            ("ftp://files.example.com:2121/x", "ftp", "files.example.com"),
            ("http://[2001:db8::1]:8080/", "http", "[2001:db8::1]"),
            ("http://localhost:3000", "http", "localhost"),
            ("URL:https://example.com/", "https", "example.com"),
            ("URLTO:https://example.com/", "https", "example.com"),
            ("  https://example.com/\r\n", "https", "example.com"),
        ])
    func recognises(text: String, scheme: String, host: String) throws {
        let url = try #require(payload(text).url)
        #expect(url.scheme == scheme)
        #expect(url.host == host)
        #expect(!url.isCustom)
        #expect(url.problems.isEmpty)
    }

    @Test("A text that starts with www. gets a scheme", arguments: ["www.example.com/x", "WWW.example.com:80"])
    func www(text: String) throws {
        #expect(payload(text).url?.url == "http://" + text)
    }

    @Test("URLTO with nothing but a name gets a scheme")
    func urlto() { #expect(payload("URLTO:example.com/a").url?.url == "http://example.com/a") }

    @Test(
        "What only looks like an address is text",
        arguments: [
            "https://", "http:///path", "https://exa mple.com", "https://example.com\u{1B}[2J", "example.com",
            "setup.exe",
            "www.", "www.example", "see https://example.com", "javascript:alert(1)", "www.-bad-.com",
            "http:/example.com",
        ])
    func text(text: String) { #expect(payload(text) == .text) }

    @Test("A scheme of the settings is a custom URL, any other is text")
    func customScheme() throws {
        var settings = PayloadSettings()
        settings.schemes = ["Asset", "door"]
        let url = try #require(payload("ASSET://Shelf-4/box?id=7", settings: settings).url)
        #expect(url.isCustom)
        #expect(url.scheme == "asset")
        #expect(url.host == "shelf-4")
        #expect(payload("door:17", settings: settings).url?.host == nil)
        #expect(payload("lift:17", settings: settings) == .text)
        #expect(payload("door:", settings: settings) == .text)
        #expect(payload("door:a b", settings: settings) == .text)
    }

    @Test("A link that leads elsewhere than it seems says so")
    func disguise() throws {
        let url = try #require(payload("https://bank.example@evil.example/login").url)
        #expect(url.host == "evil.example")
        #expect(url.problems.count == 1)
        #expect(payload("https://xn--bnk-sna.example/").url?.problems.count == 1)
        #expect(payload("https://example.com/@user").url?.problems == [])
        #expect(payload("https://good.example\\@evil.example/").url?.host == "good.example")
    }
}
