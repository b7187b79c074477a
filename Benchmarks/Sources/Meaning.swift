import Decoding
import ReaderProtocol
import Vocabulary

/// What a text means, so that the same code written two ways counts as the same: UPC-A with 12 or 13 digits, UPC-E with 8 or
/// 13, GS1 with parentheses or without, Codabar with its start and stop characters or without, Code 39 in full ASCII or not.
enum Meaning {
    static func of(_ read: PeerReading) -> String {
        var text = read.text ?? String(decoding: read.bytes, as: UTF8.self)
        switch read.symbology {
        case .ean13, .upcA, .upcE:
            text = gtin13(text.split(separator: " ").first.map(String.init) ?? text, isUPCE: read.symbology == .upcE)
        case .dataBar, .dataBarLimited:
            text = gs1(text)
            if text.utf8.count == 14 { text = "01" + text }
        case .dataBarExpanded:
            text = gs1(text)
        case .codabar:
            text = trimmedCodabar(text)
        case .code39, .code39Mod43:
            // A peer that doesn't know full ASCII means the same.
            let rules = SymbologyRules(DecodeRules(symbologies: [.code39: .init(fullASCII: true)]))
            if let verdict = rules.judge(symbology: .code39, bytes: Array(text.utf8), aim: "") {
                text = String(decoding: verdict.bytes, as: UTF8.self)
            }
        default:
            break
        }
        return text
    }

    /// Everything that the truth's text may mean in its group.
    static func accepted(for text: String, group: String) -> Set<String> {
        var all: Set<String> = [text]
        if group.hasPrefix("upc") || group.hasPrefix("ean") {
            if text.utf8.count == 12 || text.utf8.count == 8 { all.insert(gtin13(text, isUPCE: text.utf8.count == 8)) }
            if group.contains("extension") {
                // An add-on that wasn't asked for doesn't count as missed.
                all.insert(String(text.prefix(13)))
                all.insert("0" + text.prefix(12))
            }
        }
        if group.hasPrefix("rss") || group.hasPrefix("databar") { all.insert(gs1(text)) }
        if group.hasPrefix("codabar") { all.insert(trimmedCodabar(text)) }
        return all
    }

    private static func gtin13(_ digits: String, isUPCE: Bool) -> String {
        var digits = digits
        if isUPCE, let long = UPCE.expanded(Array(digits.utf8)) { digits = String(decoding: long, as: UTF8.self) }
        return digits.utf8.count == 12 ? "0" + digits : digits
    }

    private static func gs1(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != "(" && $0 != ")" && $0 != "\u{1d}" }.map(Character.init))
    }

    private static func trimmedCodabar(_ text: String) -> String {
        let guards = Set("ABCD")
        var inner = text[...]
        if let first = inner.first, guards.contains(first) { inner = inner.dropFirst() }
        if let last = inner.last, guards.contains(last) { inner = inner.dropLast() }
        return String(inner)
    }
}
