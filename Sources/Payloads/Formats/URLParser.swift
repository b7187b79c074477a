/// Web addresses and custom schemes.
///
/// A text is an address if it starts with `http://`, `https://` or `ftp://` (also after `URL:` or `URLTO:`) or with one of
/// the settings' schemes, or if it starts with `www.`, goes on as a domain name and has no scheme; and if it has a host and
/// no white space or control character anywhere. `www.` texts and `URLTO:` names get `http://` put in front. Other domain
/// names are text: `setup.exe` isn't an address.
struct URLParser {
    private let schemes: Set<String>
    private let year: Int
    private let revealsSecrets: Bool

    init(schemes: Set<String>, year: Int, revealsSecrets: Bool = false) {
        self.schemes = schemes
        self.year = year
        self.revealsSecrets = revealsSecrets
    }

    func parse(_ body: Bytes) -> URLPayload? {
        if let rest = body.after("urlto:") { return withHost(rest.trimmed, isNameEnough: true) }
        if let rest = body.after("url:") { return withHost(rest.trimmed, isNameEnough: false) }
        return withHost(body, isNameEnough: false) ?? custom(body)
    }

    private func withHost(_ address: Bytes, isNameEnough: Bool) -> URLPayload? {
        guard !address.contains(where: { $0.isSpace || $0.isControl }) else { return nil }
        for scheme in ["https", "http", "ftp"] {
            if let rest = address.after(scheme + "://") { return link(address, scheme: scheme, rest: rest) }
        }
        let host = URLParser.hostEnd(address).host
        let isName = isNameEnough && !address.contains(UInt8(ascii: ":")) && HostName.isDomain(host)
        guard isName || host.after("www.").map(HostName.isDomain) ?? false else { return nil }
        return link(Bytes("http://") + address, scheme: "http", rest: address)
    }

    private func link(_ address: Bytes, scheme: String, rest: Bytes) -> URLPayload? {
        let (host, path) = URLParser.hostEnd(rest)
        guard !host.isEmpty else { return nil }
        var problems = Problems()
        if rest[..<path.startIndex].contains(UInt8(ascii: "@")) {
            problems.add("there is user information before the host: the link leads to \"\(host.lowercasedText)\"")
        }
        if host.contains(where: { $0 >= 0x80 })
            || host.parts(separatedBy: UInt8(ascii: ".")).contains(where: isPunycode)
        {
            problems.add("the host has letters beyond ASCII, which can look like another host's")
        }
        let gs1 = scheme == "ftp" ? nil : GS1DigitalLink(year: year).parse(host: host.lowercasedText, path: path)
        var link = URLPayload(
            url: address.text, scheme: scheme, host: host.lowercasedText, gs1: gs1, problems: problems.list)
        hideCredential(of: &link, address, authority: rest[..<path.startIndex])
        return link
    }

    private func hideCredential(of link: inout URLPayload, _ address: Bytes, authority: Bytes) {
        guard let secret = SecretParser.credential(in: authority) else { return }
        // `authority` may be a slice of bytes other than `address`'s, followed by the same rest.
        guard let start = address.firstRange(of: authority)?.lowerBound else { return }
        let offset = start - address.startIndex + (secret.startIndex - authority.startIndex)
        link.hide(Secret(secret.text, isRevealed: revealsSecrets), at: offset)
    }

    private func isPunycode(_ label: Bytes) -> Bool { label.after("xn--") != nil }

    /// Host without user information and port, and the rest from the path, query or fragment on.
    private static func hostEnd(_ rest: Bytes) -> (host: Bytes, path: Bytes) {
        let ends = Array("/?#\\".utf8)
        let end = rest.firstIndex { ends.contains($0) } ?? rest.endIndex
        var host = rest[..<end]
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
        if host.first == UInt8(ascii: "[") {
            // An IPv6 address in brackets.
            let close = host.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? host.endIndex
            host = host[..<close]
        } else {
            host = host.cut(at: UInt8(ascii: ":")).0
        }
        return (host, rest[end...])
    }

    /// `scheme:` of the settings, followed by anything without white space or control characters.
    private func custom(_ body: Bytes) -> URLPayload? {
        let (scheme, rest) = body.cut(at: UInt8(ascii: ":"))
        let name = scheme.lowercasedText
        guard let rest, !rest.isEmpty, schemes.contains(name),
            !body.contains(where: { $0.isSpace || $0.isControl })
        else { return nil }
        let host = rest.after("//").flatMap { URLParser.hostEnd($0).host.textOrNil }
        var link = URLPayload(url: body.text, scheme: name, host: host?.lowercased(), isCustom: true)
        if let rest = rest.after("//") {
            hideCredential(of: &link, body, authority: rest[..<URLParser.hostEnd(rest).path.startIndex])
        }
        return link
    }
}
