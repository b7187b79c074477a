import Synchronization
import Vocabulary

/// libcamera if a plugin fits it, else `rpicam-vid`. Decided at each `open`, so that a plugin that was built meanwhile is used.
final class FallbackSystem: CameraSystem {
    private let libcamera: any CameraSystem
    private let rpicam: any CameraSystem
    private let isInstalled: @Sendable () -> Bool
    private let log: @Sendable (CaptureLogLine) -> Void
    /// Reported once, until libcamera is used again.
    private let isTold = Mutex(false)

    init(
        libcamera: any CameraSystem = LibcameraSystem(), rpicam: any CameraSystem = RpicamSystem(),
        isInstalled: @escaping @Sendable () -> Bool = { RpicamSystem.isInstalled() },
        log: @escaping @Sendable (CaptureLogLine) -> Void
    ) {
        self.libcamera = libcamera
        self.rpicam = rpicam
        self.isInstalled = isInstalled
        self.log = log
    }

    func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        do throws(CameraFailure) {
            let device = try libcamera.open(id: id)
            isTold.withLock { $0 = false }
            return device
        } catch {
            guard mayFallBack(error) else { throw error }
            return try rpicam.open(id: id)
        }
    }

    func describe() throws(CameraFailure) -> [CameraDescription] {
        do throws(CameraFailure) { return try libcamera.describe() } catch {
            guard mayFallBack(error) else { throw error }
            return try rpicam.describe()
        }
    }

    func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) { libcamera.onCameraAdded(added) }

    func shutdown() {
        libcamera.shutdown()
        rpicam.shutdown()
    }

    private func mayFallBack(_ failure: CameraFailure) -> Bool {
        guard case .unavailable(.noPlugin) = failure, isInstalled() else { return false }
        let isNews = isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        if isNews {
            log(
                CaptureLogLine(
                    .warning,
                    "\(failure); meanwhile the picture comes through rpicam-vid, later and with fewer settings"))
        }
        return true
    }
}
