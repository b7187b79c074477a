import Reading
import Vocabulary

/// A scene's pictures in order: which comes next, which are decoded already, which can't be read.
struct SceneReel {
    struct Unreadable: Error {
        /// Names the file.
        var reason: String
    }

    private let files: [FileName]
    private let loops: Bool
    private let size: FrameSize
    private let renderer: PictureRenderer
    private var cache = PictureCache()
    private var index = 0
    private var unreadable: Set<Int> = []
    private var firstReason: String?
    /// Pictures whose damage was reported already.
    private var told: Set<FileName> = []

    init(files: [FileName], loops: Bool, size: FrameSize, renderer: PictureRenderer) {
        self.files = files
        self.loops = loops
        self.size = size
        self.renderer = renderer
    }

    /// Whether all readable pictures are decoded.
    var isDecoded: Bool { cache.count == files.count - unreadable.count }

    /// The next readable picture; `nil` at the end of a scene that doesn't loop. Waits for the reader process. `warn` is called once for
    /// each picture that can't be read, or only partly.
    mutating func next(warn: (String) -> Void) throws(CameraFailure) -> Picture? {
        while unreadable.count < files.count {
            if index >= files.count {
                guard loops else { return nil }
                index = 0
            }
            let position = index
            index += 1
            if unreadable.contains(position) { continue }
            do throws(Unreadable) {
                return try picture(files[position], warn: warn)
            } catch {
                unreadable.insert(position)
                if firstReason == nil { firstReason = error.reason }
                warn("\(error.reason); the picture is skipped")
            }
        }
        let reason = firstReason.map { ": \($0)" } ?? ""
        throw .unavailable(
            .scene(
                detail: files.count == 1
                    ? "the picture can't be read\(reason)" : "none of the \(files.count) pictures can be read\(reason)")
        )
    }

    private mutating func picture(_ file: FileName, warn: (String) -> Void) throws(Unreadable) -> Picture {
        let (size, renderer) = (size, renderer)
        var damage: String?
        let picture = try cache.picture(file, version: FileVersion(file)) { () throws(Unreadable) in
            do throws(ReaderError) {
                let rendering = try renderer.render(file, on: size)
                damage = rendering.damage
                return Picture(size: size, pixels: rendering.pixels, name: file.last.description)
            } catch {
                throw Unreadable(reason: error.message)
            }
        }
        if let damage, told.insert(file).inserted { warn("\(file): \(damage)") }
        return picture
    }
}
