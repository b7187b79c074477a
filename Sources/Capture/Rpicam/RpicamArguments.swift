import Settings
import Vocabulary

/// The command line for `rpicam-vid`: libcamera's controls as options of that program.
struct RpicamArguments: Hashable, Sendable {
    /// Where the program writes what it knows about each frame: the pipe that `Program` gives it as descriptor 3.
    static let metadataOptions = [("metadata", "/dev/fd/3"), ("metadata-format", "txt")]

    var camera: RpicamCamera
    var size: FrameSize
    /// Frames a second of the camera.
    var frameRate: Double
    var mode: RpicamCamera.Mode?
    var controls = CameraControls()
    var further: [String] = []
    /// Options that this version of the program doesn't know.
    var unknown: Set<String> = []

    /// They hold for the whole run; changing a control needs another run.
    var list: [String] {
        var list = [
            "-t", "0", "-n", "--codec", "yuv420", "--flush", "-o", "-", "--camera", "\(camera.index)", "--width",
            "\(size.width)", "--height", "\(size.height)", "--framerate", "\(frameRate)",
        ]
        for (name, value) in options where !unknown.contains(name) { list += ["--\(name)", value] }
        return list + further
    }

    var hasMetadata: Bool { !Self.metadataOptions.contains { unknown.contains($0.0) } }

    /// Options that the station can do without.
    private var options: [(String, String)] {
        var options = hasMetadata ? Self.metadataOptions : []
        if let mode {
            options.append(("mode", "\(mode.size.width):\(mode.size.height)" + (mode.bitDepth.map { ":\($0)" } ?? "")))
        }
        switch controls.exposure {
        case .fixed(let time)?: options.append(("shutter", "\(max(1, time.wholeNanoseconds / 1000))"))
        // The shorter of its two profiles.
        case .automatic?, nil: options.append(("exposure", "sport"))
        }
        if case .fixed(let gain)? = controls.gain { options.append(("gain", "\(gain)")) }
        switch controls.metering {
        case .centre?, nil: break
        case .spot?: options.append(("metering", "spot"))
        case .matrix?: options.append(("metering", "average"))
        }
        switch controls.flicker {
        case .hz50?: options.append(("flicker-period", "10000us"))
        case .hz60?: options.append(("flicker-period", "8333us"))
        case .off?, .automatic?, nil: break
        }
        if let zoom = controls.zoom, zoom > 1 {
            let (side, edge) = (1 / zoom, (1 - 1 / zoom) / 2)
            options.append(("roi", "\(edge),\(edge),\(side),\(side)"))
        }
        if let noiseReduction = controls.noiseReduction { options.append(("denoise", noiseReduction.rpicamName)) }
        if let sharpness = controls.sharpness { options.append(("sharpness", "\(sharpness)")) }
        return options + focusOptions
    }

    private var focusOptions: [(String, String)] {
        var options: [(String, String)] = []
        switch controls.focus {
        case .manual(let position)?:
            options.append(("autofocus-mode", "manual"))
            if let position { options.append(("lens-position", "\(position)")) }
        // It focuses once when it starts, or all the time; it can't be asked to later.
        case .onDemand?, .continuous?: options.append(("autofocus-mode", "continuous"))
        case nil: break
        }
        if let range = controls.focusRange { options.append(("autofocus-range", range.rawValue)) }
        if let speed = controls.focusSpeed { options.append(("autofocus-speed", speed.rawValue)) }
        if let window = controls.focusWindow {
            options.append(("autofocus-window", "\(window.x),\(window.y),\(window.width),\(window.height)"))
        }
        return options
    }

    /// Which of these settings the program can't apply.
    func skipped(by program: String) -> [SkippedSetting] {
        var skipped: [SkippedSetting] = []
        func skip(_ setting: String, _ reason: String) {
            skipped.append(SkippedSetting(setting: setting, reason: "\(program) \(reason)"))
        }
        if controls.exposure == .automatic {
            skip(
                "capture.exposure.maxTime",
                "has no limit for automatic exposures: its \"sport\" profile is used; set time")
        }
        if controls.flicker == .automatic {
            skip("capture.exposure.flicker", "doesn't find out by itself: set 50Hz or 60Hz")
        }
        if controls.focus == .onDemand {
            skip("capture.focus.mode", "can't focus on a trigger: it does so continuously")
        }
        for name in unknown.sorted() { skip("--\(name)", "doesn't know this option") }
        return skipped
    }
}

extension NoiseReduction {
    fileprivate var rpicamName: String {
        switch self {
        case .off: "off"
        case .minimal: "cdn_off"
        case .fast: "cdn_fast"
        case .highQuality: "cdn_hq"
        }
    }
}
