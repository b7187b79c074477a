import CLibcamera
import Settings
import Synchronization
import Vocabulary

/// libcamera's cameras, through the plugin. The first `open` loads and starts the library, so that it costs nothing in a station without a
/// camera.
package final class LibcameraSystem: CameraSystem {
    private struct State {
        var plugin: LibcameraPlugin?
        var system: OpaquePointer?
    }

    private let plugins: PluginLocator
    /// Held during every call: libcamera wants one caller at a time. Callbacks don't take it.
    private let state = Mutex(State())
    private let mailbox = CameraAddedMailbox()

    package init(plugins: PluginLocator = PluginLocator()) { self.plugins = plugins }

    /// For tests: a function table that no plugin provides.
    init(plugin: LibcameraPlugin) {
        plugins = PluginLocator(folders: [])
        state.withLock { $0.plugin = plugin }
    }

    /// libcamera's thread calls into the mailbox until the manager is stopped.
    deinit { shutdown() }

    package func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) {
        mailbox.handler.withLock { $0 = added }
    }

    package func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        let result = state.withLock { state -> Result<LibcameraDevice, CameraFailure> in
            Result { () throws(CameraFailure) in
                let plugin = try start(&state)
                let cameras = try list(state, plugin)
                guard !cameras.isEmpty else {
                    let nodes = CameraNodes.scan()
                    // Nodes that libcamera doesn't show were closed to us when it looked, or are new and udev doesn't announce them: only a
                    // new manager finds them. If there are no nodes, keep this manager, which will announce the first.
                    if !nodes.isEmpty { stop(&state) }
                    throw Self.emptyReason(nodes, wanted: id)
                }
                let chosen = cameras.first { $0.id == id } ?? cameras.first { id == nil || $0.id.hasPrefix(id ?? "") }
                guard let chosen, let system = state.system else {
                    throw .unavailable(.notFound(wanted: id, found: cameras.map(\.id)))
                }
                return try LibcameraDevice(
                    plugin: plugin, system: system, identity: CameraIdentity(id: chosen.id, model: chosen.model))
            }
        }
        return try result.get()
    }

    package func shutdown() { state.withLock { stop(&$0) } }

    /// All cameras with what they offer; each is acquired for a moment.
    package func describe() throws(CameraFailure) -> [CameraDescription] {
        let result = state.withLock { state -> Result<[CameraDescription], CameraFailure> in
            Result { () throws(CameraFailure) in
                let plugin = try start(&state)
                var cameras = try list(state, plugin)
                guard !cameras.isEmpty, let system = state.system else { throw Self.emptyReason(.scan(), wanted: nil) }
                for index in cameras.indices {
                    do throws(CameraFailure) {
                        let device = try LibcameraDevice(
                            plugin: plugin, system: system,
                            identity: CameraIdentity(id: cameras[index].id, model: cameras[index].model))
                        defer { device.close() }
                        // Ranges of controls are valid only once configured; a camera that can't be configured is described without them.
                        _ = try? device.configure(
                            CameraRequest(resolution: CaptureSettings.Preset.medium.resolution, frameRate: 30))
                        try device.describe(into: &cameras[index])
                    } catch {
                        cameras[index].problem = error.description
                    }
                }
                return cameras
            }
        }
        return try result.get()
    }

    private func start(_ state: inout State) throws(CameraFailure) -> LibcameraPlugin {
        let plugin: LibcameraPlugin
        if let known = state.plugin { plugin = known } else { plugin = try plugins.load() }
        state.plugin = plugin
        guard state.system == nil else { return plugin }
        var callbacks = CLibcamera_SystemCallbacks(
            context: Unmanaged.passUnretained(mailbox).toOpaque(), added: libcameraAdded, removed: libcameraRemoved)
        var system: OpaquePointer?
        try plugin.check("libcamera") { plugin.table.pointee.system_start(&callbacks, &system, $0) }
        state.system = system
        return plugin
    }

    private func stop(_ state: inout State) {
        if let system = state.system, let plugin = state.plugin { plugin.table.pointee.system_stop(system) }
        state.system = nil
    }

    private func list(_ state: State, _ plugin: LibcameraPlugin) throws(CameraFailure) -> [CameraDescription] {
        guard let system = state.system else { return [] }
        let found = CameraList()
        try plugin.check("libcamera") {
            plugin.table.pointee.list(system, Unmanaged.passUnretained(found).toOpaque(), libcameraListed, $0)
        }
        return found.cameras
    }

    /// libcamera doesn't say why it lists nothing.
    private static func emptyReason(_ nodes: CameraNodes, wanted: String?) -> CameraFailure {
        if let problem = nodes.permissionProblem { return .permissionDenied(detail: problem) }
        return .unavailable(.notFound(wanted: wanted, found: []))
    }
}

/// Where libcamera's hot-plug callback leaves its news.
private final class CameraAddedMailbox: Sendable {
    let handler = Mutex<(@Sendable (String) -> Void)?>(nil)
}

private func libcameraAdded(_ context: UnsafeMutableRawPointer?, _ id: UnsafePointer<CChar>) {
    guard let context else { return }
    let mailbox = Unmanaged<CameraAddedMailbox>.fromOpaque(context).takeUnretainedValue()
    mailbox.handler.withLock { $0 }?(String(cString: id))
}

private func libcameraRemoved(_ context: UnsafeMutableRawPointer?, _ id: UnsafePointer<CChar>) {
    // The camera in use says so itself ("disconnected"); the others don't matter.
}

/// Collects what `list` visits, on the calling thread.
private final class CameraList {
    var cameras: [CameraDescription] = []
}

private func libcameraListed(_ context: UnsafeMutableRawPointer?, _ info: UnsafePointer<CLibcamera_Info>) {
    guard let context else { return }
    let info = info.pointee
    Unmanaged<CameraList>.fromOpaque(context).takeUnretainedValue().cameras.append(
        CameraDescription(
            id: String(cString: info.id), model: String(cString: info.model), location: String(cString: info.location),
            rotation: Int(info.rotation), pixelArray: FrameSize(info.pixel_array)))
}

extension FrameSize {
    /// `nil` for the empty size, which means unknown.
    init?(_ size: CLibcamera_Size) {
        guard size.width > 0, size.height > 0 else { return nil }
        self.init(width: Int(size.width), height: Int(size.height))
    }
}
