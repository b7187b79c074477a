import CLibcamera
import Linux
import Settings
import Synchronization
import Vocabulary

/// libcamera's callbacks. They are file-scope functions: a closure literal would carry its context's isolation onto a foreign thread.
final class FrameInlet: Sendable {
    let receiver = Mutex<(any CameraReceiver)?>(nil)
    /// While the camera delivers JPEG files.
    let intake = Mutex<CompressedIntake?>(nil)

    func frame(_ frame: CLibcamera_Frame) {
        guard let receiver = receiver.withLock({ $0 }) else { return }
        func has(_ bit: Int) -> Bool { frame.has & UInt32(bit) != 0 }
        let now = Instant.now
        let exposedAt =
            has(CLIBCAMERA_HAS_TIMESTAMP)
            ? SensorClock.instant(of: frame.timestamp_ns, now: now, monotonicNow: MonotonicClock.nanoseconds) : now
        let info = FrameInfo(
            sequence: UInt64(frame.sequence),
            exposedAt: exposedAt,
            deliveredAt: now,
            exposureMicroseconds: has(CLIBCAMERA_HAS_EXPOSURE) ? frame.exposure_us : nil,
            gain: has(CLIBCAMERA_HAS_GAIN) ? frame.gain : nil,
            lux: has(CLIBCAMERA_HAS_LUX) ? frame.lux : nil,
            focusFoM: has(CLIBCAMERA_HAS_FOCUS_FOM) ? frame.focus_fom : nil,
            focusState: has(CLIBCAMERA_HAS_AF_STATE) ? FocusState(libcamera: frame.af_state) : nil,
            lensPosition: has(CLIBCAMERA_HAS_LENS_POSITION) ? frame.lens_position : nil)
        if frame.jpeg_bytes > 0 {
            intake.withLock { $0 }?.take(
                UnsafeRawBufferPointer(start: frame.data, count: Int(frame.jpeg_bytes)), info)
            return
        }
        receiver.frame(
            LumaFrame(
                base: UnsafeRawPointer(frame.data), size: FrameSize(width: Int(frame.width), height: Int(frame.height)),
                rowStride: Int(frame.stride), pixelStride: Int(frame.pixel_stride), info: info))
    }

    func event(_ event: CLibcamera_CameraEvent, _ text: String) {
        guard let receiver = receiver.withLock({ $0 }) else { return }
        switch event {
        case CLIBCAMERA_EVENT_DISCONNECTED: receiver.event(.disconnected)
        case CLIBCAMERA_EVENT_FRAME_ERROR:
            receiver.frameDamaged()
            receiver.event(.warning(text))
        default: receiver.event(.fault(text))
        }
    }
}

func libcameraFrame(_ context: UnsafeMutableRawPointer?, _ frame: UnsafePointer<CLibcamera_Frame>) {
    guard let context else { return }
    Unmanaged<FrameInlet>.fromOpaque(context).takeUnretainedValue().frame(frame.pointee)
}

func libcameraEvent(
    _ context: UnsafeMutableRawPointer?, _ event: CLibcamera_CameraEvent, _ text: UnsafePointer<CChar>
) {
    guard let context else { return }
    Unmanaged<FrameInlet>.fromOpaque(context).takeUnretainedValue().event(event, String(cString: text))
}

/// Collects what `camera_describe` visits, on the calling thread.
final class OfferCollector {
    var formats: [CameraDescription.Format] = []
    var sensorModes: [SensorMode] = []
    var controls: [CameraDescription.Control] = []

    static func of(_ context: UnsafeMutableRawPointer?) -> OfferCollector? {
        context.map { Unmanaged<OfferCollector>.fromOpaque($0).takeUnretainedValue() }
    }

    func addFormat(_ name: String, _ sizes: [FrameSize], isRange: Bool) {
        if let index = formats.firstIndex(where: { $0.name == name && $0.isRange == isRange }) {
            formats[index].sizes += sizes
        } else {
            formats.append(CameraDescription.Format(name: name, sizes: sizes, isRange: isRange))
        }
    }
}

func libcameraFormat(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>, _ smallest: CLibcamera_Size,
    _ largest: CLibcamera_Size, _ isRange: Int32
) {
    let sizes = isRange != 0 ? [smallest, largest] : [largest]
    OfferCollector.of(context)?.addFormat(
        String(cString: name), sizes.compactMap(FrameSize.init), isRange: isRange != 0)
}

func libcameraSensorMode(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>, _ size: CLibcamera_Size, _ bitDepth: UInt32
) {
    guard let size = FrameSize(size) else { return }
    let mode = SensorMode(size: size, bitDepth: bitDepth > 0 ? Int(bitDepth) : nil)
    guard let collector = OfferCollector.of(context), !collector.sensorModes.contains(mode) else { return }
    collector.sensorModes.append(mode)
}

func libcameraControl(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>, _ range: UnsafePointer<CChar>
) {
    OfferCollector.of(context)?.controls.append(
        CameraDescription.Control(name: String(cString: name), range: String(cString: range)))
}

extension FocusState {
    init?(libcamera state: Int32) {
        switch state {
        case 0: self = .idle
        case 1: self = .scanning
        case 2: self = .focused
        case 3: self = .failed
        default: return nil
        }
    }
}
