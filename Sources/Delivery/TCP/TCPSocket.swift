import CLinux
import Glibc
import Linux

/// TCP sockets with the options that a station needs.
enum TCPSocket {
    /// A connection that is quiet is probed after this…
    static let probeAfter: Duration = .seconds(10)
    /// …at this interval, and given up with the first probe after `peerTimeout`: the kernel goes by that time, not by the number of probes.
    static let probeInterval: Duration = .seconds(5)
    /// One repeat is normal; this many take at least 0.6 s.
    static let triesInVain: Int32 = 2
    /// Connections that the kernel holds until they are accepted.
    static let backlog: Int32 = 64

    static func make(_ family: Int32) -> Descriptor? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(family, type, 0)
        return number < 0 ? nil : Descriptor(number)
    }

    /// For an established connection: small records at once, and a pulled cable noticed, whether something is under way
    /// (`peerTimeout`) or not (probes).
    static func tune(_ descriptor: Descriptor, peerTimeout: Duration, sendBufferBytes: Int) {
        set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: sendBufferBytes))
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, Int32(probeAfter.components.seconds))
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, Int32(probeInterval.components.seconds))
        set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: Int64(peerTimeout.milliseconds)))
    }

    /// Tells the peer at once that its bytes have come. Its kernel may hold back the second of two answers until then (Nagle's algorithm), and our own
    /// might say so only with the next record: the second answer would be taken for one to that.
    static func acknowledge(_ descriptor: Descriptor) { set(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, 1) }

    /// A socket that is connecting to the address.
    static func connect(to address: SocketAddress) -> Result<Descriptor, SystemError> {
        guard let descriptor = make(address.family) else { return .failure(SystemError()) }
        let status = address.withPointer { Glibc.connect(descriptor.number, $0, $1) }
        let error = SystemError()
        return status == 0 || error.code == EINPROGRESS || error.code == EINTR ? .success(descriptor) : .failure(error)
    }

    /// What became of `connect`, once the socket is writable; `nil`: it is connected.
    static func connectError(_ number: Int32) -> SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return SystemError()
        }
        return code == 0 ? nil : SystemError(code)
    }

    /// Whether this machine no longer has the local address of an established connection: no packet can come back to it.
    static func hasLostAddress(_ number: Int32) -> Bool { CLinux_has_own_address(number) == 0 }

    /// Whether the kernel keeps repeating what the peer doesn't acknowledge. Its waits grow with the time that a cable is unplugged, and
    /// last as long again after it is back.
    static func isUnanswered(_ number: Int32) -> Bool {
        CLinux_tcp_retransmits(number) >= triesInVain
    }

    /// `isAlone`: an IPv6 socket may take IPv4 too (`::`), unless IPv4 has its own socket.
    static func listen(on address: SocketAddress, isAlone: Bool) -> Result<Descriptor, SystemError> {
        guard let descriptor = make(address.family) else { return .failure(SystemError()) }
        // Otherwise the port would be taken for a minute after every restart.
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isAlone ? 0 : 1) }
        guard address.withPointer({ bind(descriptor.number, $0, $1) }) == 0,
            Glibc.listen(descriptor.number, backlog) == 0
        else { return .failure(SystemError()) }
        return .success(descriptor)
    }

    /// Discards what waits to be read, so that closing doesn't reset the connection before the peer has read its last lines.
    static func discardInput(_ descriptor: Descriptor) {
        for _ in 0..<16 {
            guard case .bytes = descriptor.read(limit: 16_384) else { return }
        }
    }

    /// A missing option makes the connection slower to notice trouble, not wrong.
    private static func set(_ descriptor: Descriptor, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
