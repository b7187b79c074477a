import Vocabulary

/// Judges the readings of one picture.
struct Verdict {
    /// Indices of the codes that were read right.
    var right: Set<Int> = []
    /// What was read wrongly, each once.
    var wrong: Set<String> = []

    init() {}

    init(_ readings: [PeerReading], of picture: CorpusPicture) {
        guard picture.isCounted else { return }
        if let quads = picture.quads {
            for reading in readings where reading.symbology == .qrCode {
                let hits = quads.indices.filter { Self.contains(quads[$0], reading.centre) }
                right.formUnion(hits)
                if hits.isEmpty { wrong.insert(Meaning.of(reading)) }
            }
            return
        }
        let accepted = picture.text.map { Meaning.accepted(for: $0, group: picture.group) } ?? []
        for meaning in readings.map(Meaning.of) {
            if accepted.contains(meaning) {
                right.insert(0)
            } else if Self.besides[picture.path] != meaning {
                wrong.insert(meaning)
            }
        }
    }

    /// Second codes that a picture shows but the corpus' truth doesn't list: reading one is neither right nor wrong, for anyone.
    private static let besides = [
        "zxing/code39-3/08.png": "001EC9476B0A",
        "zxing/ean13-2/23.png": "9784872348880",
        // The upper half of the code below, whose digits aren't in the picture: a Japanese book's second code (192, class and price).
        "zxing/ean13-2/13.png": "1920081045006",
        // It calls itself the outer one of two; the truth is the inner one's text.
        "zxing/qrcode-2/16.png": "[外側QRコード]\r\n \r\n*ﾀﾞﾌﾞﾙQR*\r\nhttp://d-qr.net/ex/",
    ]

    /// Whether a point lies in a convex quadrilateral.
    private static func contains(_ quad: [[Double]], _ point: Point) -> Bool {
        guard quad.count == 4, quad.allSatisfy({ $0.count == 2 }) else { return false }
        let sides = (0..<4).map { index -> Double in
            let (a, b) = (quad[index], quad[(index + 1) % 4])
            return (b[0] - a[0]) * (point.y - a[1]) - (b[1] - a[1]) * (point.x - a[0])
        }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }
}
