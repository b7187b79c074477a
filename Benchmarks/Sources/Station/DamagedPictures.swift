import Foundation

/// Damaged copies of the corpus: half cut short, half with flipped bits, and some nonsense; the same ones each time.
struct DamagedPictures {
    let folder: String
    let count: Int

    /// Throws when the corpus can't be read or the copies can't be written.
    init(corpus: String, copies: Int, in folder: String) throws {
        var pictures: [String] = []
        for case let path as String in FileManager.default.enumerator(atPath: corpus) ?? .init()
        where path.hasSuffix(".jpg") || path.hasSuffix(".png") {
            pictures.append(path)
        }
        pictures.sort()
        guard !pictures.isEmpty else {
            throw BenchmarkFailure("no pictures in \(corpus): name the corpus with --corpus")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var random = SplitMix(seed: 20_261_121)
        // Nonsense first: it is skipped entirely, and the good pictures need something between them.
        let nonsense: [[UInt8]] = [
            [], Array("not a picture".utf8), (0..<100_000).map { _ in UInt8(truncatingIfNeeded: random.next()) },
            Array("P5 60000 60000 255\n".utf8), [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        ]
        for (index, bytes) in nonsense.enumerated() { try write(bytes, index, ".pgm", to: folder) }
        for copy in 0..<copies {
            let path = pictures[copy % pictures.count]
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: corpus + "/" + path)))
            if copy.isMultiple(of: 2) {
                bytes.removeLast(bytes.count - Int(random.next() % UInt64(bytes.count)))
            } else {
                for _ in 0...(random.next() % 64) {
                    bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
                }
            }
            try write(bytes, nonsense.count + copy, String(path.suffix(4)), to: folder)
        }
        self.folder = folder
        count = copies + nonsense.count
    }
}

private func write(_ bytes: [UInt8], _ number: Int, _ ending: String, to folder: String) throws {
    let name = String(format: "%05d", number) + ending
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
}
