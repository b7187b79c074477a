import Glibc

/// A serial device that can be unplugged. The test is the host.
package final class SerialCable {
    package let device: String
    package private(set) var host: ByteEnd
    private let folder = TemporaryFolder()
    private var slave: Int32

    package init() {
        device = folder.file("ttyTEST")
        (host, slave) = Self.ends(of: device)
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

    package func plugIn() { (host, slave) = Self.ends(of: device) }

    private static func ends(of device: String) -> (ByteEnd, Int32) {
        let line = try? PseudoTerminal(device: device)
        return (ByteEnd(line?.host ?? -1), line?.port ?? -1)
    }
}
