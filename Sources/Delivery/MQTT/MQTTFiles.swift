import Glibc
import Linux

/// Checks certificates and keys before the library does: it only says that they are invalid.
enum MQTTFiles {
    static func check(_ path: String?, _ setting: String) throws(DeliveryError) {
        guard let path else { return }
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw problem(path, SystemError(), setting) }
        if case .failed(let error) = Descriptor(number).read(limit: 1) { throw problem(path, error, setting) }
    }

    static func problem(_ path: String, _ error: SystemError, _ setting: String) -> DeliveryError {
        switch error.code {
        case ENOENT, ENOTDIR: DeliveryError(.noSuchDevice, "\(setting): no such file \(path)")
        case EACCES, EPERM:
            DeliveryError(.noPermission, "\(setting): no permission to read \(path): let the station's user read it")
        case EISDIR: DeliveryError(.badSetting, "\(setting): \(path) is a folder, not a file")
        default: DeliveryError(.system, "\(setting): cannot read \(path): \(error.text)")
        }
    }
}
