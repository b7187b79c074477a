import Vocabulary

/// What the capture controller is asked for. A setting that the camera doesn't offer is skipped and listed, not refused.
package struct CaptureSettings: Hashable, Sendable {
    /// Which kind of camera.
    package enum Source: Hashable, Sendable {
        /// libcamera; `rpicam-vid` where no plugin fits the installed libcamera.
        case automatic
        case libcamera
        /// Frames from the program `rpicam-vid`, through a pipe.
        case rpicam(RpicamSettings)
        case replay(ReplaySettings)
    }

    package enum Preset: String, CaseIterable, Hashable, Sendable {
        case low, medium, high, photo

        /// Resolution on the delivered frame: VGA, 720p, 1080p, and 12 MP's 4:3 half for stills.
        package var resolution: FrameSize {
            switch self {
            case .low: FrameSize(width: 640, height: 480)
            case .medium: FrameSize(width: 1280, height: 720)
            case .high: FrameSize(width: 1920, height: 1080)
            case .photo: FrameSize(width: 4056, height: 3040)
            }
        }

        /// Frames a second.
        package var frameRate: Double {
            switch self {
            case .low, .medium, .high: 30
            case .photo: 5
            }
        }
    }

    /// What the camera does between sessions.
    package enum Idle: String, CaseIterable, Hashable, Sendable {
        /// Keeps running at full rate: quickest answer to a trigger.
        case run
        /// Keeps running at `idleFrameRate`.
        case slow
        /// Stops; a trigger starts a capture run.
        case stop
    }

    package var source: Source = .automatic
    /// Camera id as `scanstation cameras` prints it, or its beginning; `nil`: the first.
    package var camera: String?
    package var preset: Preset = .medium
    /// Overrides the preset's.
    package var resolution: FrameSize?
    /// Overrides the preset's. 0.1…240.
    package var frameRate: Double?
    package var idle: Idle = .run
    /// 0.1…30 frames a second.
    package var idleFrameRate: Double = 5
    /// Sensor mode: the size (and bit depth) the sensor is read at; `nil`: the full field of view, binned if that is enough.
    package var sensorMode: SensorMode?
    package var orientation = Orientation.upright
    package var viewport = Viewport.full
    /// Margin around the viewport that is copied too: for quiet zones, and for the half of a code whose centre is inside; a fraction of the frame.
    /// 0…0.5.
    package var viewportMargin: Double = 0.15
    package var exposure = ExposureSettings()
    package var focus = FocusSettings()
    /// 1 = none. Never beyond the sensor's own pixels.
    package var zoom: Double = 1
    /// 0…16; `nil` leaves the camera's default. 1 = normal.
    package var sharpness: Float?
    package var noiseReduction: NoiseReduction = .minimal
    /// A capture run without a frame for this long (or 8 frame intervals, if longer) has failed.
    package var frameTimeout: Duration = .seconds(2)
    /// Back-off of recovery: first wait, and the longest one. Doubles in between.
    package var retryFirst: Duration = .milliseconds(250)
    package var retryMax: Duration = .seconds(15)
    /// A call into the camera that hangs for longer ends the station, so that its service manager starts a new one; `nil`:
    /// never. 11 s…1 h: a call that takes longer than 10 s is reported first.
    package var hangLimit: Duration? = .seconds(30)
    /// Bytes that buffers, ring and readers may take; `nil`: a quarter of the machine's memory.
    package var memoryBudgetBytes: Int?

    /// Pixels, before orientation.
    package var effectiveResolution: FrameSize { resolution ?? preset.resolution }
    /// Frames a second.
    package var effectiveFrameRate: Double { frameRate ?? preset.frameRate }

    package init() {}
}

/// A mode of the sensor to choose: its size in pixels and the bits of a sample; `nil`: any.
package struct SensorMode: Hashable, Sendable {
    package var size: FrameSize
    package var bitDepth: Int?

    package init(size: FrameSize, bitDepth: Int? = nil) {
        self.size = size
        self.bitDepth = bitDepth
    }
}

/// How hard the camera smooths noise: libcamera's own names.
package enum NoiseReduction: String, CaseIterable, Hashable, Sendable {
    case off, minimal, fast, highQuality
}

/// How long and how strongly the sensor takes in light.
package struct ExposureSettings: Hashable, Sendable {
    package enum Metering: String, CaseIterable, Hashable, Sendable {
        case centre, spot, matrix
    }

    package enum Flicker: String, CaseIterable, Hashable, Sendable {
        case off, automatic = "auto", hz50 = "50Hz", hz60 = "60Hz"
    }

    /// Fixed exposure time; `nil`: automatic up to `maxTime`.
    package var time: Duration?
    /// Longest automatic exposure. 5 ms, because hands shake.
    package var maxTime: Duration = .milliseconds(5)
    /// Fixed analogue gain, 1…64; `nil`: automatic.
    package var gain: Float?
    package var metering: Metering = .centre
    package var flicker: Flicker = .off

    package init() {}
}

/// What a camera with a focus motor does; others skip these settings and say so.
package struct FocusSettings: Hashable, Sendable {
    package enum Mode: String, CaseIterable, Hashable, Sendable {
        /// One autofocus when a capture run or a session starts, and again after `retryAfterFrames` without a read.
        case onTrigger
        case continuous
        /// `lensPosition` or the camera's default.
        case manual
    }

    package enum Range: String, CaseIterable, Hashable, Sendable {
        case normal, macro, full
    }

    package enum Speed: String, CaseIterable, Hashable, Sendable {
        case normal, fast
    }

    package var mode: Mode = .onTrigger
    package var range: Range = .macro
    package var speed: Speed = .fast
    /// Dioptres, 0…32; used in `manual`.
    package var lensPosition: Float?
    /// Focus where the viewport is.
    package var followsViewport = true
    package var retryAfterFrames = 30

    package init() {}
}

/// The camera through another program, for when no plugin fits the installed libcamera and none can be built.
package struct RpicamSettings: Hashable, Sendable {
    /// A path, or a name on the PATH; `nil`: `rpicam-vid`, else `libcamera-vid`.
    package var program: String?
    /// Appended to the station's own arguments.
    package var arguments: [String] = []

    package init(program: String? = nil, arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }
}

/// The camera for a desk: pictures instead of a sensor.
package struct ReplaySettings: Hashable, Sendable {
    package enum Movement: Hashable, Sendable {
        case still
        /// Pan, zoom, blur, noise and exposure wander, each 0…1 (0 = none), driven by `seed`.
        case simulated(pan: Double, zoom: Double, blur: Double, noise: Double, exposure: Double, seed: UInt64)
    }

    /// Folders, files or globs (`*.jpg`), JPEG/PNG/PGM, sorted by name within each. Empty: the built-in scene.
    package var paths: [String] = []
    /// How many frames a picture is shown for.
    package var framesPerPicture = 30
    package var loops = true
    /// Deliver as fast as the sink takes frames, not at the frame rate.
    package var isUnpaced = false
    package var movement: Movement = .still

    package init(paths: [String] = []) { self.paths = paths }
}
