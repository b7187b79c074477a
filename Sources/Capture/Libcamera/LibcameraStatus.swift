import CLibcamera
import Vocabulary

/// Calls into the plugin, and turns its statuses into camera failures.
extension LibcameraPlugin {
    /// Runs a call that reports through a status and an error text.
    func check(
        _ camera: String, _ call: (UnsafeMutablePointer<CLibcamera_Error>) -> CLibcamera_Status
    ) throws(CameraFailure) {
        var error = CLibcamera_Error()
        let status = call(&error)
        if status != CLIBCAMERA_OK { throw Self.failure(status, error.message, camera: camera) }
    }

    static func failure(_ status: CLibcamera_Status, _ text: String, camera: String) -> CameraFailure {
        switch status {
        case CLIBCAMERA_NOT_FOUND: .unavailable(.notFound(wanted: camera, found: []))
        case CLIBCAMERA_BUSY:
            .inUse(detail: "\(camera) is held by another program: stop it (rpicam-*, libcamerify, another station)")
        case CLIBCAMERA_DISCONNECTED: .unavailable(.disconnected)
        case CLIBCAMERA_REJECTED: .unavailable(.configurationRejected(detail: text))
        case CLIBCAMERA_NO_LUMA:
            .unavailable(.noLumaFormat(offered: text.split(separator: " ").map(String.init)))
        case CLIBCAMERA_NO_MEMORY:
            .unavailable(.configurationRejected(detail: "\(text): choose a smaller capture.resolution"))
        default: .unavailable(.cannotBeAcquired(detail: text))
        }
    }
}
