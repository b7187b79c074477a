import Settings
import Vocabulary

extension StationSchema {
    /// Sides of pictures in pixels. The largest Raspberry Pi camera has 9152.
    private static let side = 16...16_384

    private static let presetNames: [String: CaptureSettings.Preset] = [
        "480p": .low, "vga": .low, "640x480": .low, "720p": .medium, "hd": .medium, "1280x720": .medium, "1080p": .high,
        "fullhd": .high, "full hd": .high, "1920x1080": .high, "4056x3040": .photo,
    ]

    static let capture = Section<CaptureSettings>([
        Key(
            "source", \.sourceKind, .word,
            """
            automatic uses libcamera; rpicam uses rpicam-vid, as automatic does when no plugin fits the \
            installed libcamera; replay shows pictures instead.
            """),
        Key(
            "camera", \.camera, .text("a camera's id", bytes: 1...256), sample: "/base/axi/pcie",
            "The camera's id as \"scanstation cameras\" prints it, or the beginning of it. Default: the first camera."
        ).onReload(),
        Key(
            "preset", \.preset, .word(calling: presetNames),
            "Resolution and frame rate: 640x480, 1280x720, 1920x1080 at 30; photo 4056x3040 at 5."
        ).onReload(),
        Key(
            "resolution", \.resolution, .frameSize(side), sample: FrameSize(width: 1280, height: 720),
            "Overrides the preset's."
        ).onReload(),
        Key("frameRate", \.frameRate, .number(0.1...240), sample: 30, "Frames a second; overrides the preset's.")
            .whileRunning(),
        Key(
            "idle", \.idle, .word,
            "Between sessions the camera runs (quickest answer), runs slowly, or stops (coolest)."
        ).whileRunning(),
        Key("idleFrameRate", \.idleFrameRate, .number(0.1...30), "Frames a second for \"idle: slow\".").whileRunning(),
        Key(
            "sensorMode", \.sensorMode, .sensorMode(side),
            sample: SensorMode(size: FrameSize(width: 2304, height: 1296), bitDepth: 10),
            "How the sensor is read. Default: the full field of view, binned if that is enough."
        ).onReload(),
        Key(
            "orientation", \.orientation, in: orientation, "How the camera is mounted: what turns its picture upright."
        ).whileRunning(),
        Key(
            "viewport", \.viewport, .viewport,
            "Only codes inside it count: by their centre, or by all corners (rule: entire)."
        ).whileRunning(),
        Key(
            "viewportMargin", \.viewportMargin, .number(0...0.5),
            """
            Strip around the viewport that is read too, because a code's quiet zone may be there, or half of a code whose centre is inside; a \
            fraction of the frame.
            """
        ).onReload(),
        Key("exposure", \.exposure, in: exposure, "Exposure.").whileRunning(),
        Key("focus", \.focus, in: focus, "Focus, for cameras that have one.").whileRunning(),
        Key("zoom", \.zoom, .number(1...64), "Digital zoom; never beyond the sensor's own pixels.").whileRunning(),
        Key(
            "sharpness", \.sharpness, .number(0...16), sample: 1,
            "1 is the camera's normal. Default: what the camera does by itself."
        ).whileRunning(),
        Key("noiseReduction", \.noiseReduction, .word, "Strong noise reduction smears fine bars.").whileRunning(),
        Key(
            "frameTimeout", \.frameTimeout, .duration(.milliseconds(100)...(.seconds(60))),
            "A camera without a frame for this long (or 8 frame intervals) has failed and is started again."
        ).onReload(),
        Key(
            "retryFirst", \.retryFirst, .duration(.milliseconds(10)...(.seconds(60))),
            "The first wait before a failed camera is tried again; it doubles up to retryMax."
        ).whileRunning(),
        Key(
            "retryMax", \.retryMax, .duration(.milliseconds(10)...(.seconds(3600))),
            "The longest wait before a failed camera is tried again."
        )
        .whileRunning(),
        Key(
            "hangLimit", \.hangLimit, Codec.duration(.seconds(11)...(.seconds(3600))).orAbsent("never"),
            """
            If a call into the camera hangs for this long, the station ends with exit code 75, for its service manager to \
            start it again: nothing else frees the camera. The same goes for a camera that has worked and doesn't recover.
            """
        ).whileRunning(),
        Key(
            "memoryBudgetBytes", \.memoryBudgetBytes, .bytes((8 << 20)...(64 << 30)), sample: 128 << 20,
            "Memory for buffers, ring and readers. Default: a quarter of the machine's."
        ).onReload(),
        Key("rpicam", \.rpicam, in: rpicam, sample: RpicamSettings(), "The program for \"source: rpicam\"."),
        Key("replay", \.replay, in: replay, sample: ReplaySettings(), "The pictures for \"source: replay\"."),
    ])

    static let orientation = Section<Orientation>([
        Key("rotation", \.degrees, .oneOf([0, 90, 180, 270]), "Degrees clockwise."),
        Key("mirrored", \.isMirrored, .bool, "Swaps left and right, before the rotation."),
    ])

    static let viewport = Section<Viewport>([
        Key("x", \.rect.x, .number(0...1), "Left edge."),
        Key("y", \.rect.y, .number(0...1), "Upper edge."),
        Key("width", \.rect.width, .number(0.01...1), "Width."),
        Key("height", \.rect.height, .number(0.01...1), "Height."),
        Key("rule", \.rule, .word, "Which part of a code must be inside."),
    ])

    /// Exposure times are 32-bit microseconds in libcamera; cameras offer far less than a minute.
    private static let exposureTimes = Duration.microseconds(1)...(.seconds(60))

    static let exposure = Section<ExposureSettings>([
        Key(
            "time", \.time, Codec.duration(exposureTimes).orAbsent("auto"),
            "A fixed exposure time, or automatic up to maxTime."),
        Key("maxTime", \.maxTime, .duration(exposureTimes), "Longest automatic exposure. 5 ms, because hands shake."),
        Key("gain", \.gain, Codec<Float>.number(1...64).orAbsent("auto"), "Analogue gain."),
        Key("metering", \.metering, .word, "Which part of the picture sets the exposure."),
        Key("flicker", \.flicker, .word, "Avoids bands under lamps on 50 or 60 Hz mains."),
    ])

    static let focus = Section<FocusSettings>([
        Key(
            "mode", \.mode, .word,
            "onTrigger focuses once when a run or session starts; manual keeps lensPosition, for fixed mounts."),
        Key("range", \.range, .word, "Where to look for focus: macro is about 7 to 33 cm."),
        Key("speed", \.speed, .word, "Speed of the lens."),
        Key(
            "lensPosition", \.lensPosition, .number(0...32), sample: 8,
            "Dioptres (1 / metres) for \"mode: manual\". Default: the camera's own."),
        Key("followsViewport", \.followsViewport, .bool, "Focuses on what the viewport shows."),
        Key(
            "retryAfterFrames", \.retryAfterFrames, .whole(1...100_000),
            "onTrigger: focus again after this many frames without a code."),
    ])

    static let rpicam = Section<RpicamSettings>([
        Key(
            "program", \.program, .path, sample: "/usr/bin/rpicam-vid",
            "Its path, or a name on the PATH. Default: rpicam-vid, else libcamera-vid."),
        Key(
            "arguments", \.arguments, Codec.text("an argument", bytes: 1...4095).list(max: 100),
            "More arguments, after the station's own: [--tuning-file, /etc/scanstation/imx708.json]."),
    ])

    static let replay = Section<ReplaySettings>([
        Key(
            "paths", \.paths, Codec.path.list(max: 1000),
            "Folders, files or patterns (*.jpg) of pictures, sorted by name. None: the built-in scene."),
        Key(
            "framesPerPicture", \.framesPerPicture, .whole(1...1_000_000), "How many frames each picture is shown for."),
        Key("loops", \.loops, .bool, "Begins again after the last picture."),
        Key("unpaced", \.isUnpaced, .bool, "Shows pictures as fast as they are read, not at the frame rate."),
        Key(
            "movement", \.movement, .movement,
            "still, or simulated: {pan: 0.3, zoom: 0.2, blur: 0.2, noise: 0.1, exposure: 0.2, seed: 1}."),
    ])
}
