import Glibc
import TestSupport

/// A serial device that can be unplugged: a pty behind a link, as /dev/serial/by-id has them. The test is the host.
final class SerialCable {
    let device: String
    private(set) var host: ByteEnd
    private let folder = TemporaryFolder()
    private var slave: Int32

    init() {
        device = folder.file("ttyTEST")
        (host, slave) = Self.pair()
        link()
    }

    deinit { close(slave) }

    /// The host's end closes and the device node goes.
    func unplug() {
        unlink(device)
        close(slave)
        slave = -1
        host.close()
    }

    /// The host sees the end once nobody else holds the device.
    func closeDevice() {
        close(slave)
        slave = -1
    }

    func plugIn() {
        (host, slave) = Self.pair()
        link()
    }

    private func link() {
        var name = [CChar](repeating: 0, count: 128)
        ttyname_r(slave, &name, name.count)
        symlink(name, device)
    }

    /// The slave stays open here, so that the master doesn't hang up between two openings.
    private static func pair() -> (ByteEnd, Int32) {
        var master: Int32 = -1
        var slave: Int32 = -1
        openpty(&master, &slave, nil, nil, nil)
        // A terminal echoes until it is told not to; the output tells it, but the host may write before.
        var settings = termios()
        tcgetattr(slave, &settings)
        cfmakeraw(&settings)
        tcsetattr(slave, TCSANOW, &settings)
        return (ByteEnd(master), slave)
    }
}
