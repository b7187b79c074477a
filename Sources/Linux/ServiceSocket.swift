import Glibc

/// Our end of the service manager's datagram socket (sd_notify(3)).
package final class ServiceSocket: Sendable {
    private let descriptor: Descriptor
    private let address: UnixAddress

    /// - Parameter name: as in `NOTIFY_SOCKET`. `nil` when the process is out of descriptors or the name is too long.
    package init?(name: String) {
        guard let address = UnixAddress(name: name) else { return nil }
        self.address = address
        do throws(SystemError) { descriptor = try Descriptor.unixSocket(SOCK_DGRAM, isBlocking: true) } catch {
            return nil
        }
    }

    /// `false`: the manager's queue is full, or nobody is there.
    /// - Parameter waits: until there is room in the queue.
    package func send(_ text: String, waits: Bool = false) -> Bool {
        let payload = Array(text.utf8)
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        let sent = uninterrupted {
            address.with { sendto(descriptor.number, payload, payload.count, flags, $0, $1) }
        }
        return sent == payload.count
    }
}
