import Glibc
import Linux

/// A serial line without hardware: a pty behind a link, as /dev/serial/by-id has them. Both ends are the caller's; no program that anybody
/// starts meanwhile gets one.
package struct PseudoTerminal {
    /// The other computer's.
    package let host: Int32
    /// The device. While it is open, the host's end doesn't hang up between two openings.
    package let port: Int32

    /// - Parameter device: the link's path.
    package init(device: String) throws {
        host = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // As unlockpt(3) and ptsname(3) do, which Swift's Glibc hides: TIOCSPTLCK and TIOCGPTN.
        var isLocked: Int32 = 0
        var number: Int32 = -1
        let isThere = host >= 0 && ioctl(host, 0x4004_5431, &isLocked) == 0 && ioctl(host, 0x8004_5430, &number) == 0
        let name = "/dev/pts/\(number)"
        port = isThere ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
        guard port >= 0, Self.makeRaw(port), symlink(name, device) == 0 else {
            let problem = SystemError().text
            for end in [host, port] { close(end) }
            throw PeerFailure("no serial line at \(device): \(problem)")
        }
    }

    /// A terminal echoes until it is told not to; the station tells it, but either side may write earlier.
    private static func makeRaw(_ port: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(port, &settings) == 0 else { return false }
        cfmakeraw(&settings)
        return tcsetattr(port, TCSANOW, &settings) == 0
    }
}
