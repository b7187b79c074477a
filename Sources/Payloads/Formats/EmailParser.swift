/// Mails to write, in the four forms that codes use.
enum EmailParser {
    /// `mailto:a@b.c,d@e.f?subject=…&body=…` (RFC 6068: percent-encoded, a plus is a plus).
    static func mailto(_ body: Bytes) -> EmailPayload? {
        let (list, query) = body.cut(at: UInt8(ascii: "?"))
        var email = EmailPayload(to: addresses(list))
        for (name, value) in query?.queryPairs ?? [] {
            let text = value.percentDecoded().textOrNil
            switch name {
            case "to": email.to += addresses(value)
            case "cc": email.cc += addresses(value)
            case "bcc": email.bcc += addresses(value)
            case "subject": email.subject = email.subject ?? text
            case "body": email.body = email.body ?? text
            default: break
            }
        }
        return checked(email)
    }

    /// `MATMSG:TO:a@b.c;SUB:…;BODY:…;;`
    static func matmsg(_ body: Bytes) -> EmailPayload? {
        let fields = DelimitedFields(body)
        return checked(
            EmailPayload(
                to: fields.all("TO").compactMap(\.text), cc: fields.all("CC").compactMap(\.text),
                bcc: fields.all("BCC").compactMap(\.text), subject: fields["SUB"]?.text, body: fields["BODY"]?.text))
    }

    /// `SMTP:a@b.c:subject:body`
    static func smtp(_ body: Bytes) -> EmailPayload? {
        let parts = body.parts(separatedBy: UInt8(ascii: ":"), limit: 3)
        return checked(
            EmailPayload(
                to: addresses(parts.first ?? []), subject: parts.count > 1 ? parts[1].textOrNil : nil,
                body: parts.count > 2 ? parts[2].textOrNil : nil))
    }

    /// A text that is nothing but one address.
    static func bareAddress(_ body: Bytes) -> EmailPayload? {
        isAddress(body) ? EmailPayload(to: [body.text]) : nil
    }

    private static func addresses(_ list: Bytes) -> [String] {
        list.parts(separatedBy: UInt8(ascii: ",")).compactMap { $0.percentDecoded().trimmed.textOrNil }
    }

    private static func checked(_ email: EmailPayload) -> EmailPayload? {
        var email = email
        guard !(email.to.isEmpty && email.cc.isEmpty && email.bcc.isEmpty) else {
            return email.subject == nil && email.body == nil ? nil : email
        }
        var problems = Problems()
        for address in email.to + email.cc + email.bcc where !isAddress(Bytes(address)) {
            problems.add("\"\(address.prefix(80))\" is not a mail address")
        }
        email.problems = problems.list
        return email
    }

    /// The common form (`local@host.tld`), not everything that RFC 5322 allows: a false address does more harm than a missed one.
    private static func isAddress(_ bytes: Bytes) -> Bool {
        let parts = bytes.parts(separatedBy: UInt8(ascii: "@"))
        guard parts.count == 2, (1...64).contains(parts[0].count), (3...253).contains(parts[1].count) else {
            return false
        }
        let marks = Array("!#$%&'*+-/=?^_`{|}~.".utf8)
        guard parts[0].allSatisfy({ $0.isLetter || $0.isDigit || marks.contains($0) || $0 >= 0x80 }) else {
            return false
        }
        return HostName.isDomain(parts[1])
    }
}
