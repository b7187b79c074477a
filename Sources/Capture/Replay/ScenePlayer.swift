import ScanCore

/// Which picture a replay shows next, and how it looks: the order of files, damaged ones left out, movement on top.
struct ScenePlayer: Sendable {
    struct Frame {
        var pixels: [UInt8]
        var size: FrameSize
        var label: String
    }

    private let files: [String]
    private let settings: ReplaySettings
    private let size: FrameSize
    private var cache = PictureCache()
    private var movement: SimulatedMovement
    /// The picture on show and for how many more frames.
    private var current: Picture?
    private var framesLeft = 0
    private var index = 0
    private var frame: UInt64 = 0
    private var damaged: Set<Int> = []
    private var canvas: [UInt8] = []

    init(files: [String], settings: ReplaySettings, size: FrameSize) {
        self.files = files
        self.settings = settings
        self.size = size
        movement = SimulatedMovement(settings.movement)
    }

    var zoom: Double {
        get { movement.zoom }
        set { movement.zoom = newValue }
    }

    /// Decodes the first readable picture; throws when there is none.
    mutating func prepare(warn: (String) -> Void) throws(CameraFailure) {
        guard try advance(warn: warn) else {
            throw .unavailable(.scene(detail: "there are no pictures"))
        }
    }

    /// The next frame; `nil` when the scene was shown to its end. `warn` is told once of each damaged picture.
    mutating func next(warn: (String) -> Void) throws(CameraFailure) -> Frame? {
        if framesLeft == 0, !(try advance(warn: warn)) { return nil }
        guard let picture = current else { return nil }
        framesLeft -= 1
        defer { frame += 1 }
        if movement.isStill { return Frame(pixels: picture.pixels, size: size, label: picture.name) }
        // The last frame's array is drawn over: nobody else holds it by now.
        if canvas.count != picture.pixels.count { canvas = [UInt8](repeating: 0, count: picture.pixels.count) }
        let number = frame
        canvas.withUnsafeMutableBufferPointer { movement.render(picture, frame: number, into: $0) }
        return Frame(pixels: canvas, size: size, label: picture.name)
    }

    /// Goes on to the next readable picture. False at the end of a scene that doesn't loop.
    private mutating func advance(warn: (String) -> Void) throws(CameraFailure) -> Bool {
        while damaged.count < files.count {
            if index >= files.count {
                guard settings.loops else { return false }
                index = 0
            }
            let position = index
            index += 1
            if damaged.contains(position) { continue }
            do {
                current = try cache.picture(files[position], fitting: size)
                framesLeft = max(1, settings.framesPerPicture)
                return true
            } catch {
                damaged.insert(position)
                warn(error.description)
            }
        }
        throw .unavailable(
            .scene(detail: "none of the \(files.count) pictures can be read (the first: \(files.first ?? "none"))"))
    }
}
