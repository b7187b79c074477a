import CImage
import ScanCore

/// One decoded picture, laid out on a frame: rows without padding.
final class Picture: Sendable {
    /// Pictures larger than this are refused before they are decoded.
    static let maxPixels: UInt64 = 100_000_000
    /// What surrounds a picture that doesn't fill the frame: nearly white, as a quiet zone should be.
    static let ground: UInt8 = 235

    let size: FrameSize
    let pixels: [UInt8]
    /// The file's name, for the frame's label.
    let name: String

    init(size: FrameSize, pixels: [UInt8], name: String) {
        self.size = size
        self.pixels = pixels
        self.name = name
    }

    struct Damaged: Error, CustomStringConvertible {
        var path: String
        var reason: String
        var description: String { "\(path): \(reason); the picture is skipped" }
    }

    /// Decodes `path` and fits it into a frame of `size`: scaled down where it is larger, never up, centred.
    static func load(_ path: String, fitting size: FrameSize) throws(Damaged) -> Picture {
        var luma = CImage_Luma()
        var message = [CChar](repeating: 0, count: 256)
        guard CImage_load(path, maxPixels, &luma, &message, message.count) == CIMAGE_OK else {
            let end = message.firstIndex(of: 0) ?? message.endIndex
            let text = String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw Damaged(path: path, reason: text.isEmpty ? "it can't be decoded" : text)
        }
        defer { CImage_free(&luma) }
        guard let base = luma.pixels, luma.width > 0, luma.height > 0 else {
            throw Damaged(path: path, reason: "it is empty")
        }
        let source = UnsafeBufferPointer(start: base, count: Int(luma.width) * Int(luma.height))
        let pixels = Letterbox.fit(
            source, size: FrameSize(width: Int(luma.width), height: Int(luma.height)), into: size, ground: ground)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return Picture(size: size, pixels: pixels, name: name)
    }
}

/// Decoded pictures by path, bounded in bytes; the ones used longest ago go first.
struct PictureCache {
    /// 34 pictures of 1280×720.
    static let maxBytes = 32_000_000

    private var pictures: [String: (picture: Picture, used: UInt64)] = [:]
    private var bytes = 0
    private var uses: UInt64 = 0
    private let limit: Int

    init(limit: Int = PictureCache.maxBytes) { self.limit = limit }

    /// From the cache, or decoded and kept.
    mutating func picture(_ path: String, fitting size: FrameSize) throws(Picture.Damaged) -> Picture {
        uses += 1
        if let found = pictures[path] {
            pictures[path] = (found.picture, uses)
            return found.picture
        }
        let picture = try Picture.load(path, fitting: size)
        while bytes + picture.pixels.count > limit, let oldest = pictures.min(by: { $0.value.used < $1.value.used }) {
            bytes -= oldest.value.picture.pixels.count
            pictures[oldest.key] = nil
        }
        if bytes + picture.pixels.count <= limit {
            pictures[path] = (picture, uses)
            bytes += picture.pixels.count
        }
        return picture
    }

    var count: Int { pictures.count }
}
