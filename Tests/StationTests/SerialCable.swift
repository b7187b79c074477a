import Glibc
import TestSupport

/// A serial device that can be unplugged: a pty behind a link, as /dev/serial/by-id has them. The test is the host.
final class SerialCable {
    let device: String
    private var host: Int32 = -1
    private var port: Int32 = -1

    init() throws {
        device = "/tmp/scanstation-tty-\(UInt32.random(in: .min ... .max))"
        try plugIn()
    }

    deinit { unplug() }

    /// The host's end closes and the device node goes.
    func unplug() {
        unlink(device)
        for end in [port, host] where end >= 0 { close(end) }
        (port, host) = (-1, -1)
    }

    func plugIn() throws {
        guard openpty(&host, &port, nil, nil, nil) == 0 else { throw NoTerminal() }
        // A terminal echoes until it is told not to; the station tells it, but the host may read before.
        var settings = termios()
        tcgetattr(port, &settings)
        cfmakeraw(&settings)
        tcsetattr(port, TCSANOW, &settings)
        for end in [host, port] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var name = [CChar](repeating: 0, count: 128)
        guard ttyname_r(port, &name, name.count) == 0, symlink(name, device) == 0 else { throw NoTerminal() }
    }

    struct NoTerminal: Error {}

    /// What the station writes, up to the next line feed, without it and the carriage return.
    func readLine() async -> String {
        await blocking { [host] in
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while read(host, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
            return String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
        }
    }
}
