import Foundation

/// TCP sockets for both families, in whatever network the thread is in.
enum Dual {
    /// On every address.
    static func listen(_ port: Int) throws -> Int32 {
        let number = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        set(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
        set(number, SOL_SOCKET, SO_REUSEADDR, 1)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(port).bigEndian
        let listens = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
        guard listens, Glibc.listen(number, 16) == 0 else {
            close(number)
            throw BenchmarkFailure("port \(port) can't be listened on: \(String(cString: strerror(errno)))")
        }
        return number
    }

    /// Connects to an address, not a name. `nil`: not within this many seconds.
    static func connect(_ address: String, _ port: Int, seconds: Int32) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let first = found?.pointee else { return nil }
        defer { freeaddrinfo(found) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(first.ai_family, type, 0)
        guard number >= 0 else { return nil }
        var poll = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        var problem: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let isThere =
            (Glibc.connect(number, first.ai_addr, first.ai_addrlen) == 0 || errno == EINPROGRESS)
            && Glibc.poll(&poll, 1, 1000 * seconds) == 1
            && getsockopt(number, SOL_SOCKET, SO_ERROR, &problem, &length) == 0 && problem == 0
        guard isThere else {
            close(number)
            return nil
        }
        _ = fcntl(number, F_SETFL, 0)
        // A client that waits for scans should notice that there is no network: after 9 s of silence, or 8 s without an ACK for what it
        // sent.
        set(number, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(number, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 3)
        set(number, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 2)
        set(number, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
        set(number, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 8000)
        return number
    }

    private static func set(_ number: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
