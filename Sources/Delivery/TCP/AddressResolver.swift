import Glibc
import Linux

/// Turns names into addresses, on its own thread: `getaddrinfo` blocks for as long as the name servers take (resolv.conf limits that,
/// usually to ten seconds).
final class AddressResolver: Sendable {
    /// More addresses than this aren't tried.
    static let maxAddresses = 8

    typealias Answer = Result<[SocketAddress], ResolveError>
    typealias LookUp = @Sendable (_ host: String, _ port: Int, _ isPassive: Bool) -> Answer

    private let loop = EventLoop()
    private let lookUp: LookUp

    init(lookUp: @escaping LookUp = AddressResolver.systemLookUp) { self.lookUp = lookUp }

    /// Calls `done` on the resolver's thread. `isPassive`: for listening.
    func resolve(
        _ host: String, port: Int, isPassive: Bool = false,
        done: @escaping @Sendable (Answer) -> Void
    ) {
        loop.execute { [lookUp] in done(lookUp(host, port, isPassive)) }
    }

    /// The system's order (RFC 6724), but with the families taking turns, so that a family that leads nowhere costs one attempt (RFC 8305,
    /// section 4).
    static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let first = addresses.first else { return [] }
        let preferred = addresses.filter { $0.family == first.family }
        let others = addresses.filter { $0.family != first.family }
        var mixed: [SocketAddress] = []
        for index in 0..<max(preferred.count, others.count) {
            if index < preferred.count { mixed.append(preferred[index]) }
            if index < others.count { mixed.append(others[index]) }
        }
        return mixed
    }

    @Sendable static func systemLookUp(_ host: String, _ port: Int, _ isPassive: Bool) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isPassive ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            let text = status == EAI_SYSTEM ? SystemError().text : String(cString: gai_strerror(status))
            return .failure(ResolveError(code: status, text: text))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee, addresses.count < maxAddresses {
            if let address = entry.ai_addr {
                let address = SocketAddress(family: entry.ai_family, address, length: entry.ai_addrlen)
                if !addresses.contains(address) { addresses.append(address) }
            }
            next = entry.ai_next
        }
        return addresses.isEmpty
            ? .failure(ResolveError(code: EAI_NONAME, text: "it has no address"))
            : .success(interleaved(addresses))
    }
}

/// The system's text for why a name has no address.
struct ResolveError: Error, Hashable {
    /// `getaddrinfo`'s own number.
    var code: Int32
    var text: String
}
