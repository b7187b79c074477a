import Glibc
import Linux

/// The gadget's device file, open: reports go in, the computer's lights come out.
struct KeyboardDevice {
    let descriptor: Descriptor

    /// Throws `DeliveryError`, which says what is wrong and what to do about it.
    static func open(_ path: String) throws(DeliveryError) -> KeyboardDevice {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failed(path, SystemError()) }
        guard status.st_mode & S_IFMT == S_IFCHR else {
            throw DeliveryError(
                .badSetting, "\(path) is not a HID gadget's device: set \"device\" to one such as /dev/hidg0")
        }
        let number = Glibc.open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw failed(path, SystemError()) }
        let device = KeyboardDevice(descriptor: Descriptor(number))
        // Two stations that type into one keyboard would mix their letters.
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            throw DeliveryError(
                .inUse, "\(path) is in use by another program: close it (sudo fuser -v \(path) names it)")
        }
        return device
    }

    /// Writes one report, all or nothing: the kernel keeps one until the computer fetches it.
    func write(_ report: [UInt8]) -> Descriptor.WriteOutcome { descriptor.write(report, from: 0) }

    /// The last of the waiting output reports, one byte each; `nil`: none.
    func readLights() -> LightsOutcome {
        switch descriptor.read(limit: 64) {
        case .bytes(let bytes): bytes.last.map { .lights($0) } ?? .nothing
        case .nothing: .nothing
        case .end: .gone("it hung up")
        case .failed(let error): .gone(error.text)
        }
    }

    enum LightsOutcome {
        case lights(UInt8)
        case nothing
        case gone(String)
    }

    static func failed(_ path: String, _ error: SystemError) -> DeliveryError {
        switch error.code {
        case ENOENT, ENOTDIR, ENXIO, ENODEV:
            DeliveryError(
                .noSuchDevice,
                "there is no USB keyboard gadget at \(path) (\(error.text)): set it up with \"hid-gadget setup\" "
                    + "(deploy/hid-gadget), on a Pi whose USB port can be a device (Zero, 4, 5)")
        case EACCES, EPERM:
            DeliveryError(
                .noPermission,
                "no permission to open \(path): it belongs to group \"\(Files.owningGroup(of: path) ?? "root")\"; "
                    + "add the station's user to it, or give it another with \"hid-gadget setup --group GROUP\"")
        case ESHUTDOWN, ENOTCONN, EPIPE:
            DeliveryError(
                .noSuchDevice,
                "no computer is attached to the USB keyboard \(path) (\(error.text)); waiting for one: check that the cable "
                    + "is in the Pi's USB device port and carries data")
        default:
            DeliveryError(.system, "cannot use the USB keyboard \(path): \(error.text)")
        }
    }
}
