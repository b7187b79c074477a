import Settings
import Wire

/// Events as lines of text for a person or a script: a scan is its text alone, everything else starts with `# `. Control
/// characters are shown by name (`<GS>`, `<ESC>`), so that a code can't drive the terminal. A code whose secret is withheld is
/// `(redacted)`.
enum EventText {
    /// With its line feed.
    static func line(_ event: Event, secrets: SecretPolicy) -> [UInt8] {
        guard case .scan(let body) = event.body else {
            let line = event.line(secrets: secrets)
            let text = (try? JSONValue(parsing: line.dropLast())).map { HumanLine.render($0) } ?? event.type
            return Array("# \(text)\n".utf8)
        }
        if secrets == .withheld, body.payload.holdsSecret { return Array("(redacted)\n".utf8) }
        let symbol = body.scan.symbol
        let text = symbol.text.map { TerminalText.escape($0, limit: .max) } ?? bytes(symbol.bytes)
        return Array((text + "\n").utf8)
    }

    /// For bytes that aren't text: printable ASCII as it is, the rest as `<0xHH>`.
    private static func bytes(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { text, byte in
            if (0x20...0x7E).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "<0x\(digits.count < 2 ? "0" : "")\(digits)>"
            }
        }
    }
}
