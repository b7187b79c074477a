import Testing

@testable import Payloads

@Suite("GS1 Digital Links")
struct GS1DigitalLinkTests {
    @Test("A GTIN with qualifiers in the path and attributes in the query")
    func full() throws {
        let text = "https://example.com/some/path/01/09506000134352/10/ABC%2F1/21/77?17=261231&3103=000195&utm=x#top"
        let url = try #require(payload(text).url)
        let gs1 = try #require(url.gs1)
        #expect(url.url == text)
        #expect(gs1.source == .digitalLink)
        #expect(gs1.gtin == "09506000134352")
        #expect(gs1.humanReadable == "(01)09506000134352(10)ABC/1(21)77(17)261231(3103)000195")
        #expect(gs1["3103"]?.meaning == .quantity("0.195", unit: "kg"))
        #expect(gs1.problems.isEmpty)
    }

    @Test("Shorter GTINs get leading zeros", arguments: ["9506000134352", "036000291452", "96385074"])
    func short(gtin: String) {
        let found = payload("https://id.gs1.org/01/\(gtin)").url?.gs1?.gtin
        #expect(found == String(repeating: "0", count: 14 - gtin.count) + gtin)
    }

    @Test("Other keys", arguments: ["00/106141412345678908", "414/9506000134352/254/32a", "8018/123456789012345675"])
    func otherKeys(path: String) { #expect(payload("https://example.com/\(path)").url?.gs1 != nil) }

    @Test("A wrong attribute is a problem of a link")
    func wrongAttribute() {
        #expect(payload("https://id.gs1.org/01/09506000134352?17=999999").url?.gs1?.problems.count == 1)
    }

    @Test("A parameter that only begins like an identifier is none", arguments: ["310;", "310x", "392-"])
    func lookalikes(name: String) throws {
        let gs1 = try #require(payload("https://id.gs1.org/01/09506000134352?\(name)=000195").url?.gs1)
        #expect(gs1.elements.map(\.ai) == ["01"])
    }

    @Test(
        "Other addresses are no Digital Links",
        arguments: [
            "https://example.com/", "https://example.com/01/09506000134353", "https://example.com/01/2024",
            "https://example.com/01/09506000134352/extra", "https://example.com/01/09506000134352/21/A/10/B",
            "https://example.com/401/abc", "https://example.com?01=09506000134352", "https://example.com/2024/01",
            "ftp://example.com/01/09506000134352",
        ])
    func others(text: String) throws {
        let url = try #require(payload(text).url)
        #expect(url.gs1 == nil)
    }

    @Test("Keys without a check digit count at GS1's own resolver")
    func resolver() {
        #expect(payload("https://id.gs1.org/8004/95060001343ABC").url?.gs1 != nil)
        #expect(payload("https://example.com/8004/95060001343ABC").url?.gs1 == nil)
    }
}
