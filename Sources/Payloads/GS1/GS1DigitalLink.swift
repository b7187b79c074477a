/// GS1 Digital Link URIs (the GS1 standard, release 1.4, uncompressed): a primary key and its qualifiers in the path, further
/// identifiers in the query, such as `https://id.gs1.org/01/09506000134352/10/ABC?17=261231`.
struct GS1DigitalLink {
    /// For the century of two-digit years.
    let year: Int

    /// Qualifiers by primary key, in their order. Keys without a check digit (401, 8004, 8010) are accepted only from GS1's own resolver:
    /// `/401/` is part of too many other addresses.
    private static let qualifiers: [String: [String]] = [
        "00": [], "01": ["22", "10", "21", "235"], "253": [], "255": [], "401": [], "402": [],
        "414": ["254", "7040"], "415": ["8020"], "417": ["7040"], "8003": [], "8004": ["7040"],
        "8006": ["22", "10", "21"], "8010": ["8011"], "8013": [], "8017": ["8019"], "8018": ["8019"],
    ]
    private static let keysWithoutCheckDigit: Set<String> = ["401", "8004", "8010"]
    private static let resolver = "id.gs1.org"

    /// `path` starts at the path, query or fragment. `nil` if the address isn't a Digital Link.
    func parse(host: String, path: Bytes) -> GS1Payload? {
        let (beforeFragment, _) = path.cut(at: UInt8(ascii: "#"))
        let (path, query) = beforeFragment.cut(at: UInt8(ascii: "?"))
        let segments = path.parts(separatedBy: UInt8(ascii: "/")).filter { !$0.isEmpty }
        guard let start = keyPlace(in: segments, host: host) else { return nil }
        var problems = Problems()
        var elements: [GS1Element] = []
        for place in stride(from: start, to: segments.count, by: 2) {
            elements.append(element(segments[place].text, segments[place + 1], &problems))
        }
        for (name, value) in query?.queryPairs ?? [] where GS1Table.identifier(for: name) != nil {
            elements.append(element(name, value, &problems))
        }
        return GS1Payload(
            elements: elements, source: .digitalLink, gtin: GS1Parser.gtin(of: elements), problems: problems.list)
    }

    private func element(_ ai: String, _ value: Bytes, _ problems: inout Problems) -> GS1Element {
        var value = value.percentDecoded()
        if ai == "01" { value = GS1DigitalLink.gtin14(value) }
        return GS1Parser(year: year).element(ai, value, &problems)
    }

    /// The segment where a valid primary key starts, followed by its qualifiers in order, up to the end.
    private func keyPlace(in segments: [Bytes], host: String) -> Int? {
        for place in segments.indices where (segments.count - place) % 2 == 0 {
            guard let order = GS1DigitalLink.qualifiers[segments[place].text] else { continue }
            let key = segments[place].text
            if GS1DigitalLink.keysWithoutCheckDigit.contains(key), host != GS1DigitalLink.resolver { continue }
            var problems = Problems()
            _ = element(key, segments[place + 1], &problems)
            guard problems.list.isEmpty else { continue }
            let following = stride(from: place + 2, to: segments.count, by: 2).map { segments[$0].text }
            if isOrdered(following, in: order) { return place }
        }
        return nil
    }

    private func isOrdered(_ names: [String], in order: [String]) -> Bool {
        var rest = order[...]
        for name in names {
            guard let place = rest.firstIndex(of: name) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    /// Shorter GTINs get leading zeros.
    private static func gtin14(_ digits: Bytes) -> Bytes {
        guard [8, 12, 13].contains(digits.count), digits.allSatisfy(\.isDigit) else { return digits }
        return Bytes(repeating: UInt8(ascii: "0"), count: 14 - digits.count) + digits
    }
}
