import Dispatch
import Glibc

/// The other end of a socket or a serial line: what comes is kept, and it can write.
final class LinePeer: Sendable {
    let lines = OutputLines()
    private let descriptor: Int32

    /// The descriptor is this object's from now on.
    init(_ descriptor: Int32) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        lines.follow(descriptor)
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        // What is lost here the station asks for again.
        if send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0, errno == ENOTSOCK {
            _ = Glibc.write(descriptor, bytes, bytes.count)
        }
    }

    /// The first client of a socket that was bound, as soon as there is one.
    static func accept(on socket: LoopbackSocket) throws -> Task<LinePeer, Never> {
        guard listen(socket.descriptor, 4) == 0 else { throw PeerFailure("can't listen on port \(socket.port)") }
        return Task {
            await withCheckedContinuation { done in
                DispatchQueue(label: "accept").async {
                    done.resume(returning: LinePeer(Glibc.accept(socket.descriptor, nil, nil)))
                }
            }
        }
    }

    /// Connects to a port of this machine as soon as the station listens there, which is asked how it is between two attempts.
    static func connect(port: Int, asking station: () async throws -> Void) async throws -> LinePeer {
        var address = LoopbackSocket.address(port: port)
        return try await connect(AF_INET, &address, asking: station)
    }

    /// The same with a Unix socket.
    static func connect(path: String, asking station: () async throws -> Void) async throws -> LinePeer {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return try await connect(AF_UNIX, &address, asking: station)
    }

    private static func connect<Address>(
        _ family: Int32, _ address: inout Address, asking station: () async throws -> Void
    ) async throws -> LinePeer {
        while true {
            let number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(number, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
            if status == 0 { return LinePeer(number) }
            close(number)
            try await station()
        }
    }
}

/// A serial device with the test at its other end.
final class SerialPeer {
    let device: String
    let host: LinePeer
    private let slave: Int32

    init() throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw PeerFailure("no pty") }
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A terminal echoes until it is told not to; the station tells it, but this end may write before.
        var settings = termios()
        tcgetattr(slave, &settings)
        cfmakeraw(&settings)
        tcsetattr(slave, TCSANOW, &settings)
        var name = [CChar](repeating: 0, count: 128)
        ttyname_r(slave, &name, name.count)
        device = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Open here, so that the other end doesn't hang up before the station comes.
        self.slave = slave
        host = LinePeer(master)
    }

    deinit { close(slave) }
}
