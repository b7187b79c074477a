import Linux
import Reading
import Settings
import Vocabulary

/// What a replay shows on each frame: picture after picture, each for its frames, movement on top. Until the next picture is decoded, the
/// current one stays.
struct ScenePlayer: Sendable {
    struct Frame {
        var pixels: [UInt8]
        var size: FrameSize
        var label: String
    }

    /// How long the first picture may take.
    static let patience = Duration.seconds(40)

    private let settings: ReplaySettings
    private let size: FrameSize
    private let ahead: SceneAhead
    private var movement: SimulatedMovement
    /// The picture on show and for how many more frames.
    private var current: Picture?
    private var framesLeft = 0
    private var frame: UInt64 = 0
    private var canvas: [UInt8] = []

    init(
        files: [FileName], settings: ReplaySettings, size: FrameSize, renderer: PictureRenderer = PictureRenderer()
    ) {
        self.settings = settings
        self.size = size
        ahead = SceneAhead(files: files, loops: settings.loops, size: size, renderer: renderer)
        movement = SimulatedMovement(settings.movement)
    }

    var zoom: Double {
        get { movement.zoom }
        set { movement.zoom = newValue }
    }

    /// Waits for the first readable picture; throws when there is none.
    mutating func prepare(warn: (String) -> Void) throws(CameraFailure) {
        let deadline = MonotonicClock.nanoseconds + Self.patience.wholeNanoseconds
        guard let loaded = ahead.take(untilMonotonic: deadline) else {
            ahead.stop()
            throw .unavailable(
                .scene(
                    detail: "no picture was decoded within \(DurationText.text(Self.patience)): put a smaller one first"
                ))
        }
        guard try show(loaded, warn: warn) else { throw .unavailable(.scene(detail: "there are no pictures")) }
    }

    /// The next frame; `nil` when the scene was shown to its end, or stopped. `warn` is called once for each damaged picture.
    ///
    /// - Parameter waits: whether to wait for a picture that isn't decoded yet, so that each is shown for exactly its frames.
    mutating func next(waits: Bool = true, warn: (String) -> Void) throws(CameraFailure) -> Frame? {
        if framesLeft == 0 {
            if let loaded = ahead.take(untilMonotonic: waits ? nil : 0) {
                guard try show(loaded, warn: warn) else { return nil }
            } else if waits {
                return nil
            }
        }
        guard let picture = current else { return nil }
        framesLeft = max(0, framesLeft - 1)
        defer { frame += 1 }
        if movement.isStill { return Frame(pixels: picture.pixels, size: size, label: picture.name) }
        // Draws over the last frame's array, which nobody else holds by now.
        if canvas.count != picture.pixels.count { canvas = [UInt8](repeating: 0, count: picture.pixels.count) }
        let number = frame
        canvas.withUnsafeMutableBufferPointer { movement.render(picture, frame: number, into: $0) }
        return Frame(pixels: canvas, size: size, label: picture.name)
    }

    /// Ends the wait of `next`, from any thread, and the process that decodes.
    var stop: @Sendable () -> Void { ahead.stop }

    /// `false` at the end.
    private mutating func show(_ loaded: SceneAhead.Loaded, warn: (String) -> Void) throws(CameraFailure) -> Bool {
        for warning in loaded.warnings { warn(warning) }
        guard let picture = try loaded.outcome.get() else { return false }
        current = picture
        framesLeft = max(1, settings.framesPerPicture)
        return true
    }
}
