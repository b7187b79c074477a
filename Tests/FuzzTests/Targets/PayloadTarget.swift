import Payloads
import Settings
import Vocabulary
import Wire

/// What a code holds: letters for symbology, AIM identifier, year and whether there is an add-on; then the code's bytes.
enum PayloadTarget {
    private static let aims = ["", "]C1", "]Q1", "]Q3", "]d2", "]e0", "]E0"]
    private static let years: [Int?] = [nil, 2026, 0, 12_000, -5]
    private static let interpreter: PayloadInterpreter = {
        var settings = PayloadSettings()
        settings.schemes = ["door"]
        return PayloadInterpreter(settings: settings)
    }()

    static func check(_ input: inout FuzzInput) throws {
        let symbology = input.choice(of: Symbology.allCases)
        let aim = input.choice(of: aims)
        let year = input.choice(of: years)
        let extras = input.byte()
        let bytes = input.all()
        let addOn = extras & 1 == 1 ? String(decoding: bytes.prefix(5), as: UTF8.self) : nil
        let symbol = Scans.symbol(bytes, symbology, aim: aim, addOn: addOn, repairsText: extras & 2 == 2)
        let payload = interpreter.interpret(symbol, currentYear: year)
        try demand(Payload.kinds.contains(payload.kind), "a payload is of a known kind")
        try hold(payload)
        try write(symbol, payload)
    }

    private static func hold(_ payload: Payload) throws {
        switch payload {
        case .gs1(let gs1): try hold(gs1)
        case .url(let url):
            if let gs1 = url.gs1 { try hold(gs1) }
            try demand(
                ["", Secret.redacted].contains(password(of: url.url)), "no password stands before a host: \(url.url)")
            if let secret = url.credential {
                try demand(url.url.contains(Secret.redacted), "a link's password is taken out of it")
                try demand(!secret.reveal().isEmpty, "a secret is something")
            }
        case .product(let product):
            try demand(product.gtin.utf8.count == 14 && isDigits(product.gtin), "a GTIN has 14 digits: \(product.gtin)")
            try demand(
                product.isCheckDigitRight == (checkSum(product.gtin) == 0),
                "a check digit is what GS1 computes: \(product.gtin)")
            if let price = product.price { try demand((0...9999).contains(price.cents), "a price has four digits") }
        case .geo(let geo):
            try demand(abs(geo.latitude) <= 90 && abs(geo.longitude) <= 180, "a place is on Earth: \(geo)")
            try demand((geo.altitude ?? 0).isFinite && (geo.uncertainty ?? 0).isFinite, "its figures are numbers")
        case .wifi(let wifi):
            try demand(!wifi.ssidBytes.isEmpty, "a network has a name")
            try demand(
                wifi.ssidBytes.count <= 32 || !wifi.problems.isEmpty,
                "a name that no network can have is told as a problem: \(wifi.ssidBytes.count) bytes")
        case .otp(let otp): try demand((6...8).contains(otp.digits), "a one-time password has 6 to 8 digits")
        case .contact(let contact):
            for count in [contact.phones.count, contact.emails.count, contact.addresses.count, contact.urls.count] {
                try demand(count <= PayloadLimits.maxFields, "a contact has no more fields than the limit")
            }
        default: break
        }
    }

    private static func hold(_ gs1: GS1Payload) throws {
        try demand(!gs1.elements.isEmpty, "GS1 data has elements")
        try demand(gs1.elements.count <= PayloadLimits.maxFields, "no more elements than the limit")
        try demand(gs1.problems.count <= PayloadLimits.maxProblems, "no more problems than the limit")
        for element in gs1.elements {
            try demand((2...4).contains(element.ai.utf8.count) && isDigits(element.ai), "an identifier: \(element.ai)")
            try demand(!element.value.utf8.contains(0x1D), "a value doesn't hold the separator: \(element)")
            try demand(element.value.utf8.count <= PayloadLimits.maxTextBytes, "a value is no longer than its code")
        }
        if let gtin = gs1.gtin {
            try demand(gtin.utf8.count == 14 && isDigits(gtin), "a GTIN has 14 digits: \(gtin)")
            try demand(checkSum(gtin) == 0, "a GTIN has its check digit: \(gtin)")
        }
    }

    /// What leaves of it: one line, read again as it was, and nothing that is a secret where secrets are withheld.
    private static func write(_ symbol: Symbol, _ payload: Payload) throws {
        let event = Scans.event(symbol, payload)
        let line = event.line(secrets: .asConfigured)
        let json = try Lines.demandJSON(line)
        try demand(
            line.count <= 24 * symbol.bytes.count + 4096, "a line isn't much longer than its code: \(line.count)")
        try demand(json["text"]?.stringValue == symbol.text, "a line has the code's text")
        let withheld = try Lines.demandJSON(event.line(secrets: .withheld))
        let shown = HumanLine.render(json, in: { _ in 0 })
        try Lines.demandPlain(shown)
        guard payload.holdsSecret else {
            return try demand(withheld == json, "what holds no secret is written in full")
        }
        try demand(withheld["text"] == .null && withheld["bytes"] == "", "the text of a secret is withheld")
        for (kind, member) in [("wifi", "password"), ("otp", "secret")] where payload.kind == kind {
            try demand(withheld["payload"]?[member] == .string(Secret.redacted), "a \(member) is withheld")
            try demand(json["payload"]?[member] == .string(Secret.redacted), "a \(member) isn't shown by itself")
        }
        if case .secret = payload {
            try demand(withheld["payload"]?.objectValue?.count == 2, "a secret shows only its kind and its format")
        }
        let leastShown = HumanLine.render(withheld, in: { _ in 0 })
        try demand(shown == leastShown, "a person is shown nothing of a secret: \(shown), not \(leastShown)")
    }

    /// What stands between `user:` and the `@` before a link's host.
    private static func password(of link: String) -> String {
        let bytes = Array(link.utf8)
        guard let start = bytes.firstRange(of: Array("://".utf8))?.upperBound else { return "" }
        let authority = bytes[start...].prefix { !"/?#\\".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
        else { return "" }
        return String(decoding: authority[(colon + 1)..<at], as: UTF8.self)
    }

    private static func isDigits(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The last digit of the weighted sum (GS1 General Specifications, 7.9.1): 0 where the check digit is right.
    private static func checkSum(_ digits: String) -> Int {
        digits.utf8.reversed().enumerated().reduce(0) { sum, digit in
            sum + Int(digit.element - UInt8(ascii: "0")) * (digit.offset % 2 == 0 ? 1 : 3)
        } % 10
    }
}
