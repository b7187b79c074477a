import CImage
import Foundation
import SoftReader
import Vocabulary

/// The soft reader and its peers on the corpus' photos of EAN and UPC, and on all others, where it may read nothing.
struct SoftReaderPhotos {
    var corpus = "../shared/corpus"

    struct Counts {
        var pictures = 0
        var soft = 0
        var zxing = 0
        var zbar = 0
        /// Read by one of the peers.
        var peers = 0
        var onlySoft = 0
        var wrong: [String] = []
    }

    private struct Photo: Decodable {
        let path: String
        let group: String
        let text: String?
    }

    func measure() throws -> (retail: Counts, others: Counts) {
        let lines = try String(contentsOfFile: corpus + "/truth.jsonl", encoding: .utf8).split(separator: "\n")
        var (retail, others) = (Counts(), Counts())
        // Pictures of even number are for tuning, those of odd number for reporting.
        for (number, line) in lines.enumerated() where number % 2 == 1 {
            let photo = try JSONDecoder().decode(Photo.self, from: Data(line.utf8))
            let isRetail = photo.group.hasPrefix("ean") || photo.group.hasPrefix("upc")
            guard let picture = load(photo.path) else { continue }
            if isRetail { look(photo, picture, &retail) } else { look(photo, picture, &others) }
        }
        return (retail, others)
    }

    private func load(_ path: String) -> BlindLocator? {
        var image = CImage_Luma()
        guard Int(CImage_load(corpus + "/" + path, 100_000_000, &image, nil, 0)) == CIMAGE_OK, let pixels = image.pixels
        else { return nil }
        defer { CImage_free(&image) }
        let (w, h) = (Int(image.width), Int(image.height))
        return BlindLocator(pixels: Array(UnsafeBufferPointer(start: pixels, count: w * h)), width: w, height: h)
    }

    private func look(_ photo: Photo, _ picture: BlindLocator, _ counts: inout Counts) {
        counts.pictures += 1
        let digits = photo.text.map { $0.split(separator: " ").first.map(String.init) ?? $0 }
        let accepted = Self.meanings(digits)
        let readings = Self.read(picture)
        let (zxing, zbar) = picture.pixels.withUnsafeBufferPointer { buffer -> ([String], [String]) in
            guard let base = buffer.baseAddress else { return ([], []) }
            return (
                PeerDecoders.zxing(base, picture.width, picture.height),
                PeerDecoders.zbar(base, picture.width, picture.height)
            )
        }
        let found = readings.map { text -> String in
            guard text.utf8.count == 8, digits?.utf8.count ?? 0 > 8, let long = UPCE.expanded(Array(text.utf8)) else {
                return text
            }
            return String(decoding: long, as: UTF8.self)
        }
        let soft = found.contains { accepted.contains($0) }
        let byZXing = zxing.contains { accepted.contains($0) }
        let byZBar = zbar.contains { accepted.contains($0) }
        counts.soft += soft ? 1 : 0
        counts.zxing += byZXing ? 1 : 0
        counts.zbar += byZBar ? 1 : 0
        counts.peers += byZXing || byZBar ? 1 : 0
        counts.onlySoft += soft && !byZXing && !byZBar ? 1 : 0
        for text in Set(found) where !accepted.contains(text) {
            counts.wrong.append("\(photo.path): \(text) for \(photo.text ?? "nothing")")
        }
    }

    static func read(_ picture: BlindLocator) -> [String] {
        let reader = SoftReader()
        return picture.pixels.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            let samples = LumaSamples(
                pixels: base, width: picture.width, height: picture.height, rowStride: picture.width)
            return picture.lines().compactMap { reader.read(samples, on: $0) }.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
        }
    }

    /// The same number as 8, 12 or 13 digits.
    private static func meanings(_ text: String?) -> Set<String> {
        guard let text else { return [] }
        var all: Set<String> = [text, "0" + text]
        // With an add-on behind it.
        if text.utf8.count > 13 {
            all.insert(String(text.prefix(13)))
            all.insert(String(text.prefix(13).dropFirst()))
        }
        if text.hasPrefix("0") { all.insert(String(text.dropFirst())) }
        if let long = UPCE.expanded(Array(text.utf8)) {
            let long = String(decoding: long, as: UTF8.self)
            all.formUnion([long, "0" + long])
        }
        return all
    }

    static func print(_ counts: Counts, _ name: String) {
        Swift.print(
            "\(name): \(counts.pictures) pictures; soft \(counts.soft), zxing \(counts.zxing), zbar \(counts.zbar), "
                + "either peer \(counts.peers), soft alone \(counts.onlySoft); wrong \(counts.wrong.count)")
        for text in counts.wrong { Swift.print("  wrong: " + text) }
    }
}
