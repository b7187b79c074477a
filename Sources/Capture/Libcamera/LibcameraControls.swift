import CLibcamera
import Settings

/// The station's controls as the plugin's struct, and its mask of skipped ones as configuration keys.
extension CameraControls {
    /// 50 Hz mains make lamps flicker at 100 Hz, so the period is 10 ms.
    private static let flickerPeriod50: Int32 = 10_000
    private static let flickerPeriod60: Int32 = 8_333

    var plain: CLibcamera_Controls {
        var c = CLibcamera_Controls()
        func set(_ bit: Int) { c.set |= UInt32(bit) }
        switch exposure {
        case .automatic?: set(CLIBCAMERA_EXPOSURE)
        case .fixed(let time)?:
            c.exposure_us = Int32(clamping: max(1, time.wholeNanoseconds / 1000))
            set(CLIBCAMERA_EXPOSURE)
        case nil: break
        }
        switch gain {
        case .automatic?: set(CLIBCAMERA_GAIN)
        case .fixed(let value)?:
            c.gain = value
            set(CLIBCAMERA_GAIN)
        case nil: break
        }
        if let metering {
            c.metering = metering.plain
            set(CLIBCAMERA_METERING)
        }
        if let flicker {
            switch flicker {
            case .off: c.flicker_us = 0
            case .automatic: c.flicker_us = -1
            case .hz50: c.flicker_us = Self.flickerPeriod50
            case .hz60: c.flicker_us = Self.flickerPeriod60
            }
            set(CLIBCAMERA_FLICKER)
        }
        if let frameRate, frameRate > 0 {
            c.frame_duration_us = Int64((1_000_000 / frameRate).rounded())
            set(CLIBCAMERA_FRAME_DURATION)
        }
        setFocus(&c)
        if let zoom {
            c.zoom = zoom
            set(CLIBCAMERA_ZOOM)
        }
        if let noiseReduction {
            c.noise_reduction = noiseReduction.plain
            set(CLIBCAMERA_NOISE_REDUCTION)
        }
        if let sharpness {
            c.sharpness = sharpness
            set(CLIBCAMERA_SHARPNESS)
        }
        return c
    }

    private func setFocus(_ c: inout CLibcamera_Controls) {
        func set(_ bit: Int) { c.set |= UInt32(bit) }
        switch focus {
        case .manual(let position)?:
            c.af_mode = Int32(CLIBCAMERA_AF_MANUAL)
            set(CLIBCAMERA_AF_MODE)
            if let position {
                c.lens_position = position
                set(CLIBCAMERA_LENS_POSITION)
            }
        case .onDemand?:
            c.af_mode = Int32(CLIBCAMERA_AF_AUTO)
            set(CLIBCAMERA_AF_MODE)
        case .continuous?:
            c.af_mode = Int32(CLIBCAMERA_AF_CONTINUOUS)
            set(CLIBCAMERA_AF_MODE)
        case nil: break
        }
        if let focusRange {
            c.af_range = focusRange.plain
            set(CLIBCAMERA_AF_RANGE)
        }
        if let focusSpeed {
            c.af_speed = focusSpeed == .fast ? 1 : 0
            set(CLIBCAMERA_AF_SPEED)
        }
        if let window = focusWindow {
            c.af_window = CLibcamera_Window(x: window.x, y: window.y, width: window.width, height: window.height)
            set(CLIBCAMERA_AF_WINDOW)
        }
        if triggersFocus {
            c.af_trigger = 0
            set(CLIBCAMERA_AF_TRIGGER)
        }
    }

    /// The keys behind a mask of skipped controls.
    static func names(ofSkipped mask: UInt32, by camera: String) -> [SkippedSetting] {
        let keys: [(Int, String)] = [
            (CLIBCAMERA_EXPOSURE, "capture.exposure.time"), (CLIBCAMERA_GAIN, "capture.exposure.gain"),
            (CLIBCAMERA_METERING, "capture.exposure.metering"), (CLIBCAMERA_FLICKER, "capture.exposure.flicker"),
            (CLIBCAMERA_FRAME_DURATION, "capture.frameRate"), (CLIBCAMERA_AF_MODE, "capture.focus.mode"),
            (CLIBCAMERA_AF_RANGE, "capture.focus.range"), (CLIBCAMERA_AF_SPEED, "capture.focus.speed"),
            (CLIBCAMERA_AF_WINDOW, "capture.focus.followsViewport"), (CLIBCAMERA_AF_TRIGGER, "capture.focus"),
            (CLIBCAMERA_LENS_POSITION, "capture.focus.lensPosition"), (CLIBCAMERA_ZOOM, "capture.zoom"),
            (CLIBCAMERA_NOISE_REDUCTION, "capture.noiseReduction"), (CLIBCAMERA_SHARPNESS, "capture.sharpness"),
        ]
        return keys.filter { mask & UInt32($0.0) != 0 }.map { .notOffered($0.1, by: camera) }
    }
}

extension ExposureSettings.Metering {
    fileprivate var plain: Int32 {
        switch self {
        case .centre: Int32(CLIBCAMERA_METER_CENTRE)
        case .spot: Int32(CLIBCAMERA_METER_SPOT)
        case .matrix: Int32(CLIBCAMERA_METER_MATRIX)
        }
    }
}

extension FocusSettings.Range {
    fileprivate var plain: Int32 {
        switch self {
        case .normal: Int32(CLIBCAMERA_RANGE_NORMAL)
        case .macro: Int32(CLIBCAMERA_RANGE_MACRO)
        case .full: Int32(CLIBCAMERA_RANGE_FULL)
        }
    }
}

extension NoiseReduction {
    fileprivate var plain: Int32 {
        switch self {
        case .off: Int32(CLIBCAMERA_DENOISE_OFF)
        case .minimal: Int32(CLIBCAMERA_DENOISE_MINIMAL)
        case .fast: Int32(CLIBCAMERA_DENOISE_FAST)
        case .highQuality: Int32(CLIBCAMERA_DENOISE_HIGH)
        }
    }
}
