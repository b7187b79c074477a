/// What the capture controller is asked for. A setting the camera doesn't offer is skipped and listed, not refused.
public struct CaptureSettings: Hashable, Sendable {
    /// Which kind of camera.
    public enum Source: Hashable, Sendable {
        /// A libcamera camera if there is one; through `rpicam-vid` where no plugin fits the installed libcamera.
        case automatic
        case libcamera
        /// Frames from the program `rpicam-vid`, through a pipe.
        case rpicam(RpicamSettings)
        case replay(ReplaySettings)
    }

    public enum Preset: String, CaseIterable, Hashable, Sendable {
        case low, medium, high, photo

        /// Resolution on the delivered frame: VGA, 720p, 1080p, and 12 MP's 4:3 half for stills.
        public var resolution: FrameSize {
            switch self {
            case .low: FrameSize(width: 640, height: 480)
            case .medium: FrameSize(width: 1280, height: 720)
            case .high: FrameSize(width: 1920, height: 1080)
            case .photo: FrameSize(width: 4056, height: 3040)
            }
        }

        /// Frames a second.
        public var frameRate: Double {
            switch self {
            case .low, .medium, .high: 30
            case .photo: 5
            }
        }
    }

    /// What the camera does between sessions.
    public enum Idle: String, CaseIterable, Hashable, Sendable {
        /// Keeps running at full rate: quickest answer to a trigger.
        case run
        /// Keeps running at `idleFrameRate`.
        case slow
        /// Stops; a trigger starts a capture run.
        case stop
    }

    public var source: Source = .automatic
    /// Camera id as `scanstation cameras` prints it, or its beginning; `nil`: the first.
    public var camera: String?
    public var preset: Preset = .medium
    /// Overrides the preset's.
    public var resolution: FrameSize?
    /// Overrides the preset's. 0.1…240.
    public var frameRate: Double?
    public var idle: Idle = .run
    /// 0.1…30 frames a second.
    public var idleFrameRate: Double = 5
    /// Sensor mode: the size (and bit depth) the sensor is read at; `nil`: the full field of view, binned if that suffices.
    public var sensorMode: SensorMode?
    public var orientation = Orientation.upright
    public var viewport = Viewport.full
    /// Margin around the viewport that is copied along for quiet zones, as a fraction of the frame. 0…0.5.
    public var viewportMargin: Double = 0.05
    public var exposure = ExposureSettings()
    public var focus = FocusSettings()
    /// 1 = none. Never beyond the sensor's own pixels.
    public var zoom: Double = 1
    /// 0…16; `nil` leaves the camera's default. 1 = normal.
    public var sharpness: Float?
    public var noiseReduction: NoiseReduction = .minimal
    /// A capture run without a frame for this long (or 8 frame intervals, if longer) has failed.
    public var frameTimeout: Duration = .seconds(2)
    /// Back-off of recovery: first wait, and the longest one. Doubles in between.
    public var retryFirst: Duration = .milliseconds(250)
    public var retryMax: Duration = .seconds(15)
    /// A call into the camera that hangs for longer ends the station, so that its service manager starts a new one; `nil`:
    /// never. 11 s…1 h: what takes longer than 10 s is told first.
    public var hangLimit: Duration? = .seconds(30)
    /// Bytes that buffers, ring and readers may take; `nil`: a quarter of the machine's memory.
    public var memoryBudgetBytes: Int?

    public var effectiveResolution: FrameSize { resolution ?? preset.resolution }
    public var effectiveFrameRate: Double { frameRate ?? preset.frameRate }

    public init() {}
}

public struct SensorMode: Hashable, Sendable {
    public var size: FrameSize
    public var bitDepth: Int?

    public init(size: FrameSize, bitDepth: Int? = nil) {
        self.size = size
        self.bitDepth = bitDepth
    }
}

public enum NoiseReduction: String, CaseIterable, Hashable, Sendable {
    case off, minimal, fast, highQuality
}

public struct ExposureSettings: Hashable, Sendable {
    public enum Metering: String, CaseIterable, Hashable, Sendable {
        case centre, spot, matrix
    }

    public enum Flicker: String, CaseIterable, Hashable, Sendable {
        case off, automatic = "auto", hz50 = "50Hz", hz60 = "60Hz"
    }

    /// Fixed exposure time; `nil`: automatic up to `maxTime`.
    public var time: Duration?
    /// Longest automatic exposure. 5 ms, because hands shake.
    public var maxTime: Duration = .milliseconds(5)
    /// Fixed analogue gain, 1…64; `nil`: automatic.
    public var gain: Float?
    public var metering: Metering = .centre
    public var flicker: Flicker = .off

    public init() {}
}

public struct FocusSettings: Hashable, Sendable {
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        /// One autofocus when a capture run or a session starts, and again after `retryAfterFrames` without a read.
        case onTrigger
        case continuous
        /// `lensPosition` or the camera's default.
        case manual
    }

    public enum Range: String, CaseIterable, Hashable, Sendable {
        case normal, macro, full
    }

    public enum Speed: String, CaseIterable, Hashable, Sendable {
        case normal, fast
    }

    public var mode: Mode = .onTrigger
    public var range: Range = .macro
    public var speed: Speed = .fast
    /// Dioptres, 0…32; used in `manual`.
    public var lensPosition: Float?
    /// Focus where the viewport is.
    public var followsViewport = true
    public var retryAfterFrames = 30

    public init() {}
}

/// The camera through another program: where no plugin fits the installed libcamera, and can't be built either.
public struct RpicamSettings: Hashable, Sendable {
    /// A path, or a name on the PATH; `nil`: `rpicam-vid`, else `libcamera-vid`.
    public var program: String?
    /// Put behind those that the station gives it.
    public var arguments: [String] = []

    public init(program: String? = nil, arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }
}

/// The camera of the desk: pictures instead of a sensor.
public struct ReplaySettings: Hashable, Sendable {
    public enum Movement: Hashable, Sendable {
        case still
        /// Pan, zoom, blur, noise and exposure wander, each 0…1 (0 = none), driven by `seed`.
        case simulated(pan: Double, zoom: Double, blur: Double, noise: Double, exposure: Double, seed: UInt64)
    }

    /// Folders, files or globs (`*.jpg`), JPEG/PNG/PGM, sorted by name within each. Empty: the built-in scene.
    public var paths: [String] = []
    /// Frames a picture is shown for.
    public var framesPerPicture = 30
    public var loops = true
    /// Deliver as fast as the sink takes frames instead of at the frame rate.
    public var isUnpaced = false
    public var movement: Movement = .still

    public init(paths: [String] = []) { self.paths = paths }
}
