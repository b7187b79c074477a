/// Contacts: vCard (RFC 6350 and its older versions) and MeCard.
enum ContactParser {
    static func vCard(_ text: Bytes) -> ContactPayload? {
        var card = ContactPayload(format: .vCard)
        var problems = Problems()
        var depth = 0
        var hasEnd = false
        for line in ContentLine.lines(of: text) {
            switch line.name {
            case "BEGIN": depth += 1
            case "END":
                depth -= 1
                hasEnd = depth == 0
            default: if depth == 1 { read(line, into: &card) }
            }
            if hasEnd { break }
        }
        if !hasEnd { problems.add("the end of the vCard is missing") }
        finish(&card, &problems)
        return isEmpty(card) ? nil : card
    }

    private static func read(_ line: ContentLine, into card: inout ContactPayload) {
        switch line.name {
        case "VERSION": card.version = card.version ?? line.textOrNil
        case "FN": if card.name.formatted.isEmpty { card.name.formatted = line.text }
        case "N": readName(line.components, into: &card)
        case "NICKNAME": card.nickname = card.nickname ?? line.textOrNil
        case "ORG":
            guard card.organization == nil else { break }
            let parts = line.components.filter { !$0.isEmpty }
            card.organization = parts.first
            card.units = Array(parts.dropFirst())
        case "TITLE": card.title = card.title ?? line.textOrNil
        case "TEL":
            let number = withoutScheme("tel:", line.text)
            if !number.isEmpty { card.phones.append(.init(number, types: line.types)) }
        case "EMAIL":
            let address = withoutScheme("mailto:", line.text)
            if !address.isEmpty { card.emails.append(.init(address, types: line.types)) }
        case "ADR": readAddress(line, into: &card)
        case "URL": if let url = line.textOrNil { card.urls.append(url) }
        case "BDAY": card.birthday = card.birthday ?? line.textOrNil
        case "NOTE": card.note = card.note ?? line.textOrNil
        default: break
        }
    }

    private static func readName(_ parts: [String], into card: inout ContactPayload) {
        card.name.family = card.name.family ?? part(parts, 0)
        card.name.given = card.name.given ?? part(parts, 1)
        card.name.middle = card.name.middle ?? part(parts, 2)
        card.name.prefix = card.name.prefix ?? part(parts, 3)
        card.name.suffix = card.name.suffix ?? part(parts, 4)
    }

    private static func readAddress(_ line: ContentLine, into card: inout ContactPayload) {
        let parts = line.components
        guard parts.contains(where: { !$0.isEmpty }) else { return }
        card.addresses.append(address(parts, types: line.types))
    }

    private static func address(_ parts: [String], types: [String] = []) -> ContactPayload.Address {
        ContactPayload.Address(
            types: types, postOfficeBox: part(parts, 0), extended: part(parts, 1), street: part(parts, 2),
            city: part(parts, 3), region: part(parts, 4), postalCode: part(parts, 5), country: part(parts, 6))
    }

    private static func part(_ parts: [String], _ index: Int) -> String? {
        index < parts.count && !parts[index].isEmpty ? parts[index] : nil
    }

    /// vCard 4.0 writes `TEL;VALUE=uri:tel:+43…`.
    private static func withoutScheme(_ scheme: String, _ value: String) -> String {
        Bytes(value).after(scheme)?.text ?? value
    }

    /// `MECARD:N:Doe,John;TEL:…;ADR:…;;` (NTT DoCoMo). Names are family first.
    static func meCard(_ body: Bytes) -> ContactPayload? {
        let fields = DelimitedFields(body)
        var card = ContactPayload(format: .meCard)
        for field in fields.fields {
            guard let text = field.text else { continue }
            switch field.key {
            case "N": readMeCardName(field, into: &card)
            case "NICKNAME": card.nickname = card.nickname ?? text
            case "ORG": card.organization = card.organization ?? text
            case "TITLE": card.title = card.title ?? text
            case "TEL": card.phones.append(.init(text))
            case "TEL-AV": card.phones.append(.init(text, types: ["video"]))
            case "EMAIL": card.emails.append(.init(text))
            case "ADR": card.addresses.append(meCardAddress(field, text))
            case "URL": card.urls.append(text)
            case "BDAY": card.birthday = card.birthday ?? text
            case "NOTE", "MEMO": card.note = card.note ?? text
            default: break
            }
        }
        var problems = Problems()
        finish(&card, &problems)
        return isEmpty(card) ? nil : card
    }

    private static func readMeCardName(_ field: DelimitedFields.Field, into card: inout ContactPayload) {
        guard card.name.family == nil, card.name.given == nil else { return }
        let parts = commaParts(field)
        guard parts.count > 1 else {
            card.name.formatted = parts.first ?? ""
            return
        }
        card.name.family = part(parts, 0)
        card.name.given = part(parts, 1)
    }

    /// Seven parts between commas are those of a vCard address; any other number is how people write one.
    private static func meCardAddress(_ field: DelimitedFields.Field, _ text: String) -> ContactPayload.Address {
        let parts = commaParts(field)
        return parts.count == 7 ? address(parts) : ContactPayload.Address(street: text)
    }

    private static func commaParts(_ field: DelimitedFields.Field) -> [String] {
        DelimitedFields.split(field.raw, at: UInt8(ascii: ",")).map { DelimitedFields.unescape($0.trimmed).text }
    }

    /// Makes the name to show from its parts, or from the organization.
    private static func finish(_ card: inout ContactPayload, _ problems: inout Problems) {
        if card.name.formatted.isEmpty {
            let name = card.name
            card.name.formatted = [name.prefix, name.given, name.middle, name.family, name.suffix].compactMap { $0 }
                .joined(separator: " ")
        }
        if card.name.formatted.isEmpty {
            card.name.formatted = card.organization ?? ""
            problems.add("the name is missing")
        }
        card.problems = problems.list
    }

    private static func isEmpty(_ card: ContactPayload) -> Bool {
        card.name.formatted.isEmpty && card.phones.isEmpty && card.emails.isEmpty && card.addresses.isEmpty
            && card.urls.isEmpty && card.note == nil
    }
}
