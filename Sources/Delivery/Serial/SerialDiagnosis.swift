import Glibc
import Linux

/// Says why a serial device can't be opened, in words that a person can act on. The system's files are properties, so that a test can use
/// its own.
struct SerialDiagnosis: Sendable {
    /// The names of the consoles, separated by spaces (Documentation/ABI/testing/sysfs-tty).
    var activeConsoles = "/sys/class/tty/console/active"
    var devices = "/dev"

    func checkBeforeOpening(_ device: String) throws(DeliveryError) {
        var status = stat()
        guard stat(device, &status) == 0 else { throw openFailed(device, SystemError()) }
        guard status.st_mode & S_IFMT == S_IFCHR else { throw notASerialDevice(device) }
        // /dev/serial0 and /dev/serial/by-id/… are links.
        let name = lastComponent(of: Files.resolved(device) ?? device)
        if consoles.contains(name) {
            throw DeliveryError(
                .isConsole,
                "\(device) is the system's console: kernel messages and the login prompt go there. Turn the serial "
                    + "console off (raspi-config: Interface Options, Serial Port; or remove console=\(name) from the "
                    + "kernel command line and disable serial-getty@\(name)), then restart")
        }
    }

    func openFailed(_ device: String, _ error: SystemError) -> DeliveryError {
        switch error.code {
        case ENOENT, ENOTDIR:
            let others = serialDevices
            let hint =
                others.isEmpty ? "there is none on this machine" : "this machine has: \(others.joined(separator: ", "))"
            return DeliveryError(
                .noSuchDevice, "no such serial device: \(device) (\(hint)); waiting for it to be plugged in")
        case ENXIO, ENODEV, EIO:
            return DeliveryError(
                .noSuchDevice, "\(device) is not connected (\(error.text)); waiting for it to come back")
        case EACCES, EPERM:
            let group = Files.owningGroup(of: device) ?? "dialout"
            return DeliveryError(
                .noPermission,
                "no permission to open \(device): it belongs to group \"\(group)\"; add the station's user to it "
                    + "(sudo usermod -aG \(group) USER, then log in again; in a unit: SupplementaryGroups=\(group))")
        case EBUSY:
            return inUse(device)
        default:
            return DeliveryError(.system, "cannot open \(device): \(error.text)")
        }
    }

    func notASerialDevice(_ device: String) -> DeliveryError {
        DeliveryError(
            .notASerialDevice, "\(device) is not a serial device: set \"device\" to a tty such as /dev/ttyUSB0")
    }

    func inUse(_ device: String) -> DeliveryError {
        DeliveryError(
            .inUse, "\(device) is in use by another program: close it (sudo fuser -v \(device) names it)")
    }

    private var consoles: [String] {
        Files.firstLine(of: activeConsoles)?.split(separator: " ").map(String.init) ?? []
    }

    /// Serial devices that are there and likely: USB, the Pi's own, the gadget's.
    private var serialDevices: [String] {
        let prefixes = ["ttyUSB", "ttyACM", "ttyAMA", "ttyGS", "serial0", "serial1"]
        return Files.names(in: devices)
            .filter { name in prefixes.contains { name.hasPrefix($0) } }
            .sorted()
            .map { "\(devices)/\($0)" }
    }

    private func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
