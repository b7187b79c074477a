import Vocabulary

/// One code as a contestant read it, and the line that carries it from the contestant's process.
struct PeerReading: Equatable {
    var symbology: Symbology
    var bytes: [UInt8]
    var text: String?
    /// In pixels.
    var centre: Point

    init(symbology: Symbology, bytes: [UInt8], text: String?, centre: Point) {
        self.symbology = symbology
        self.bytes = bytes
        self.text = text
        self.centre = centre
    }

    init?(line: Substring) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "code", let code = UInt8(fields[1]),
            let symbology = Symbology(code: code),
            let bytes = Self.bytes(ofHex: fields[2]), let x = Double(fields[4]), let y = Double(fields[5])
        else { return nil }
        self.symbology = symbology
        self.bytes = bytes
        text = fields[3] == "-" ? nil : Self.bytes(ofHex: fields[3]).map { String(decoding: $0, as: UTF8.self) }
        centre = Point(x: x, y: y)
    }

    var line: String {
        "code \(symbology.code) \(Self.hex(bytes)) \(text.map { Self.hex(Array($0.utf8)) } ?? "-") \(centre.x) \(centre.y)"
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(ofHex hex: Substring) -> [UInt8]? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0
        }
    }
}
