import CLibcamera
import Linux
import Reading
import Settings
import Synchronization
import Vocabulary

/// One libcamera camera. Frames come on libcamera's thread and go straight to the receiver, which copies them; the camera gets the buffer
/// back as soon as that returns. A webcam's JPEG frames take a detour: `CompressedIntake`.
package final class LibcameraDevice: CameraDevice {
    package let identity: CameraIdentity

    private struct State {
        var camera: CameraPointer?
        var isRunning = false
        /// Intake for frames that are JPEG files.
        var compressedSize: FrameSize?
        var intake: CompressedIntake?
    }

    private let plugin: LibcameraPlugin
    private let state: Mutex<State>
    /// The callbacks' context; lives as long as this device.
    private let inlet: FrameInlet

    init(plugin: LibcameraPlugin, system: OpaquePointer, identity: CameraIdentity) throws(CameraFailure) {
        self.plugin = plugin
        self.identity = identity
        let inlet = FrameInlet()
        var callbacks = CLibcamera_CameraCallbacks(
            context: Unmanaged.passUnretained(inlet).toOpaque(), frame: libcameraFrame, event: libcameraEvent)
        var camera: OpaquePointer?
        try plugin.check(identity.id) { plugin.table.pointee.camera_open(system, identity.id, &callbacks, &camera, $0) }
        self.inlet = inlet
        state = Mutex(State(camera: camera.map(CameraPointer.init)))
    }

    deinit { close() }

    package func configure(_ request: CameraRequest) throws(CameraFailure) -> GrantedSettings {
        var description = CameraDescription(id: identity.id, model: identity.model, location: "", rotation: 0)
        try describe(into: &description)
        let granted = try configure(request, description)
        state.withLock { $0.compressedSize = granted.format == StreamFormatChoice.jpeg ? granted.resolution : nil }
        return granted
    }

    /// As luma, or as JPEG if that gives much more of what was asked for, or is all that the camera has.
    private func configure(
        _ request: CameraRequest, _ description: CameraDescription
    ) throws(CameraFailure) -> GrantedSettings {
        guard description.formats.contains(where: { $0.name == StreamFormatChoice.jpeg }) else {
            return try configureLuma(request, description)
        }
        let luma: GrantedSettings
        do throws(CameraFailure) { luma = try configureLuma(request, description) } catch {
            guard case .unavailable(.noLumaFormat) = error else { throw error }
            return try configure(request, nil, CLIBCAMERA_FORMAT_JPEG)
        }
        guard StreamFormatChoice.isJPEGWorthTrying(insteadOf: luma, for: request) else { return luma }
        guard var jpeg = try? configure(request, nil, CLIBCAMERA_FORMAT_JPEG),
            StreamFormatChoice.prefers(jpeg, over: luma, for: request)
        else { return try configureLuma(request, description) }
        jpeg.insteadOf = "\(luma.format) \(luma.resolution), \(luma.frameRateText)"
        return jpeg
    }

    private func configureLuma(
        _ request: CameraRequest, _ description: CameraDescription
    ) throws(CameraFailure) -> GrantedSettings {
        let candidates = SensorModeChoice.candidates(
            description.sensorModes, for: request.resolution, wanted: request.sensorMode)
        var best: (granted: GrantedSettings, mode: SensorMode?)?
        var last: SensorMode??
        var failure: CameraFailure?
        for mode in candidates {
            do throws(CameraFailure) {
                let granted = try configure(request, mode)
                last = .some(mode)
                if (granted.fieldOfView ?? 1) > (best?.granted.fieldOfView ?? -1) { best = (granted, mode) }
                if (granted.fieldOfView ?? 1) >= SensorModeChoice.wholeField { break }
            } catch {
                last = nil
                failure = error
                if case .unavailable(.configurationRejected) = error { continue }
                throw error
            }
        }
        if let best { return last == .some(best.mode) ? best.granted : try configure(request, best.mode) }
        let rejection =
            failure ?? .unavailable(.configurationRejected(detail: "no sensor mode fits \(request.resolution)"))
        // A sensor mode that isn't available is no reason to read nothing: take the camera's own choice, and say so.
        guard !candidates.contains(nil) else { throw rejection }
        var granted: GrantedSettings
        do throws(CameraFailure) { granted = try configure(request, nil) } catch { throw rejection }
        let tried = candidates.compactMap { $0.map { "\($0.size)" } }.joined(separator: ", ")
        granted.skipped = [
            SkippedSetting(
                setting: "capture.sensorMode",
                reason:
                    "\(identity.id) takes none of \(tried) for \(request.resolution) and chose its own mode, which may show "
                    + "less")
        ]
        return granted
    }

    package func listen(_ receiver: any CameraReceiver) { inlet.receiver.withLock { $0 = receiver } }

    package func start(
        _ controls: CameraControls, receiver: any CameraReceiver
    ) throws(CameraFailure) -> [SkippedSetting] {
        listen(receiver)
        var c = controls.plain
        var skipped: UInt32 = 0
        let intake = try startIntake(receiver)
        do throws(CameraFailure) {
            try call { plugin.table.pointee.camera_start($0, &c, &skipped, $1) }
        } catch {
            endIntake(intake)
            throw error
        }
        state.withLock {
            $0.isRunning = true
            $0.intake = intake
        }
        return CameraControls.names(ofSkipped: skipped, by: identity.id)
    }

    package func apply(_ controls: CameraControls) throws(CameraFailure) -> [SkippedSetting] {
        var c = controls.plain
        var skipped: UInt32 = 0
        try call { plugin.table.pointee.camera_set_controls($0, &c, &skipped, $1) }
        return CameraControls.names(ofSkipped: skipped, by: identity.id)
    }

    package func stop() {
        guard state.withLock({ $0.isRunning }) else { return }
        // A camera that can't be stopped (because it is unplugged) counts as stopped; `close` cleans up.
        try? call { plugin.table.pointee.camera_stop($0, $1) }
        let intake = state.withLock { state in
            state.isRunning = false
            defer { state.intake = nil }
            return state.intake
        }
        endIntake(intake)
    }

    /// `nil` for a camera that delivers luma.
    private func startIntake(_ receiver: any CameraReceiver) throws(CameraFailure) -> CompressedIntake? {
        guard let size = state.withLock(\.compressedSize) else { return nil }
        let intake = CompressedIntake(size: size, unpacker: FrameUnpacker(size: size), receiver: receiver)
        try intake.start()
        inlet.intake.withLock { $0 = intake }
        return intake
    }

    private func endIntake(_ intake: CompressedIntake?) {
        inlet.intake.withLock { $0 = nil }
        intake?.stop()
    }

    package func close() {
        stop()
        inlet.receiver.withLock { $0 = nil }
        let plugin = plugin
        state.withLock {
            if let camera = $0.camera { plugin.table.pointee.camera_close(camera.pointer) }
            $0.camera = nil
        }
    }

    /// Fills in formats, sensor modes and controls.
    package func describe(into description: inout CameraDescription) throws(CameraFailure) {
        let collected = OfferCollector()
        var visitor = CLibcamera_Visitor(
            context: Unmanaged.passUnretained(collected).toOpaque(), format: libcameraFormat,
            sensor_mode: libcameraSensorMode, control: libcameraControl)
        try call { plugin.table.pointee.camera_describe($0, &visitor, $1) }
        description.formats = collected.formats
        description.sensorModes = collected.sensorModes
        description.controls = collected.controls.sorted { $0.name < $1.name }
    }

    private func configure(
        _ request: CameraRequest, _ mode: SensorMode?, _ format: CLibcamera_FormatKind = CLIBCAMERA_FORMAT_LUMA
    ) throws(CameraFailure) -> GrantedSettings {
        var configuration = CLibcamera_Configuration()
        configuration.format = format
        configuration.size = CLibcamera_Size(request.resolution)
        if let mode {
            configuration.sensor_size = CLibcamera_Size(mode.size)
            configuration.sensor_bit_depth = UInt32(clamping: mode.bitDepth ?? 0)
        }
        // libcamera's "virtual" pipeline runs on machines without any device, and so without a heap for buffers.
        let isVirtual = identity.id.hasPrefix("Virtual")
        configuration.buffer_kind = isVirtual ? CLIBCAMERA_BUFFERS_MEMFD : CLIBCAMERA_BUFFERS_AUTOMATIC
        var granted = CLibcamera_Granted()
        try call { plugin.table.pointee.camera_configure($0, &configuration, &granted, $1) }
        return GrantedSettings(granted, request: request, mode: mode)
    }

    private func call(
        _ body: (OpaquePointer, UnsafeMutablePointer<CLibcamera_Error>) -> CLibcamera_Status
    ) throws(CameraFailure) {
        guard let camera = state.withLock({ $0.camera }) else {
            throw .unavailable(.disconnected)
        }
        try plugin.check(identity.id) { body(camera.pointer, $0) }
    }
}

/// The plugin's camera: used by one thread at a time, as `CameraDevice` demands.
private struct CameraPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

extension GrantedSettings {
    /// Raw frames that the Pi's pipelines keep in flight.
    static let rawBuffers = 4

    init(_ granted: CLibcamera_Granted, request: CameraRequest, mode: SensorMode?) {
        let size = FrameSize(width: Int(granted.size.width), height: Int(granted.size.height))
        let sensorSize = FrameSize(granted.sensor_size) ?? mode?.size
        let depth = granted.sensor_bit_depth > 0 ? Int(granted.sensor_bit_depth) : mode?.bitDepth
        let rawBytes = sensorSize.map { $0.width * $0.height * (depth ?? 16) / 8 * Self.rawBuffers } ?? 0
        let rate = granted.shortest_frame_us > 0 ? 1_000_000 / Double(granted.shortest_frame_us) : .infinity
        var field: Double?
        if let array = FrameSize(granted.pixel_array), granted.field.width > 0 {
            let shown = FrameSize(width: Int(granted.field.width), height: Int(granted.field.height))
            field = SensorModeChoice.fieldOfView(field: shown, array: array, frame: size)
        }
        let format = String(untilNUL: granted.format)
        self.init(
            resolution: size, format: format, rowStride: Int(granted.stride), frameRate: min(request.frameRate, rate),
            sensorMode: sensorSize.map { SensorMode(size: $0, bitDepth: depth) }, fieldOfView: field,
            memory: MemoryBudget.Camera(
                size: size, buffers: Int(granted.buffers), bytesPerBuffer: Int(granted.buffer_bytes),
                pipelineBytes: rawBytes + (format == StreamFormatChoice.jpeg ? MemoryBudget.unpacking(size) : 0)),
            minimumGain: granted.lowest_gain > 0 ? granted.lowest_gain : 1)
    }
}

extension CLibcamera_Size {
    init(_ size: FrameSize) {
        self.init(width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
    }
}
