import Glibc

/// A serial device that can be unplugged: a pty behind a link, as /dev/serial/by-id has them. The test is the host.
package final class SerialCable {
    package let device: String
    package private(set) var host: ByteEnd
    private let folder = TemporaryFolder()
    private var slave: Int32

    package init() {
        device = folder.file("ttyTEST")
        (host, slave) = Self.pair()
        link()
    }

    deinit { close(slave) }

    /// The host's end closes and the device node goes.
    package func unplug() {
        unlink(device)
        close(slave)
        slave = -1
        host.close()
    }

    /// The host sees the end once nobody else holds the device.
    package func closeDevice() {
        close(slave)
        slave = -1
    }

    package func plugIn() {
        (host, slave) = Self.pair()
        link()
    }

    private func link() {
        var name = [CChar](repeating: 0, count: 128)
        ttyname_r(slave, &name, name.count)
        symlink(name, device)
    }

    /// The slave stays open here, so that the master doesn't hang up between two openings. No program that another test starts
    /// meanwhile gets an end.
    private static func pair() -> (ByteEnd, Int32) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // As unlockpt(3) and ptsname(3) do, which Swift's Glibc hides: TIOCSPTLCK and TIOCGPTN.
        var isLocked: Int32 = 0
        var number: Int32 = -1
        _ = ioctl(master, 0x4004_5431, &isLocked)
        _ = ioctl(master, 0x8004_5430, &number)
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // A terminal echoes until it is told not to; the output tells it, but the host may write earlier.
        var settings = termios()
        tcgetattr(slave, &settings)
        cfmakeraw(&settings)
        tcsetattr(slave, TCSANOW, &settings)
        return (ByteEnd(master), slave)
    }
}
