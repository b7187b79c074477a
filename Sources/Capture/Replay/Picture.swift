import Vocabulary

/// One decoded picture, laid out on a frame: rows without padding.
final class Picture: Sendable {
    let size: FrameSize
    let pixels: [UInt8]
    /// The file's name, for the frame's label.
    let name: String

    init(size: FrameSize, pixels: [UInt8], name: String) {
        self.size = size
        self.pixels = pixels
        self.name = name
    }
}

/// Decoded pictures by path, bounded in bytes; the ones used longest ago go first.
struct PictureCache {
    /// 34 pictures of 1280×720.
    static let maxBytes = 32_000_000

    private struct Entry {
        var picture: Picture
        var version: FileVersion?
        var used: UInt64
    }

    private var pictures: [FileName: Entry] = [:]
    private var bytes = 0
    private var uses: UInt64 = 0
    private let limit: Int

    init(limit: Int = PictureCache.maxBytes) { self.limit = limit }

    /// Takes it from the cache; otherwise `make` makes it, and it is kept.
    ///
    /// - Parameter version: of the file now: of one that was written over, the new picture is made.
    mutating func picture(
        _ path: FileName, version: FileVersion? = nil, _ make: () throws(SceneReel.Unreadable) -> Picture
    ) throws(SceneReel.Unreadable) -> Picture {
        uses += 1
        if let found = pictures[path] {
            if found.version == version {
                pictures[path]?.used = uses
                return found.picture
            }
            bytes -= found.picture.pixels.count
            pictures[path] = nil
        }
        let picture = try make()
        while bytes + picture.pixels.count > limit, let oldest = pictures.min(by: { $0.value.used < $1.value.used }) {
            bytes -= oldest.value.picture.pixels.count
            pictures[oldest.key] = nil
        }
        if bytes + picture.pixels.count <= limit {
            pictures[path] = Entry(picture: picture, version: version, used: uses)
            bytes += picture.pixels.count
        }
        return picture
    }

    var count: Int { pictures.count }
}
