import Glibc
import Synchronization

@testable import Delivery

/// An address at which nobody answers: a listening socket whose queue is full, so that the kernel drops what knocks.
final class SilentHost: Sendable {
    let address: SocketAddress
    private let sockets: [Descriptor]

    /// On 127.0.0.2, which leaves a port of 127.0.0.1 to somebody who does answer.
    init?(port: Int) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let listener = Descriptor(socket(AF_INET, type, 0))
        var form = sockaddr_in()
        form.sin_family = sa_family_t(AF_INET)
        form.sin_port = in_port_t(port).bigEndian
        form.sin_addr.s_addr = in_addr_t(0x7F00_0002).bigEndian
        let address = withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SocketAddress(family: AF_INET, $0, length: socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard address.withPointer({ bind(listener.number, $0, $1) }) == 0, listen(listener.number, 0) == 0 else {
            return nil
        }
        // The queue has room for one more than it says.
        var sockets = [listener]
        for _ in 0..<2 {
            let client = Descriptor(socket(AF_INET, type, 0))
            _ = address.withPointer { connect(client.number, $0, $1) }
            sockets.append(client)
        }
        self.address = address
        self.sockets = sockets
    }
}

/// A name server of a test's own: each question gets the next answer, and the last one from then on.
final class ScriptedNames: Sendable {
    private let answers: Mutex<[[SocketAddress]]>
    private let count = Mutex(0)

    init(_ answers: [[SocketAddress]]) { self.answers = Mutex(answers) }

    /// Questions so far.
    var asked: Int { count.withLock { $0 } }

    var resolver: AddressResolver {
        AddressResolver { _, _, _ in
            self.count.withLock { $0 += 1 }
            return .success(self.answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
        }
    }
}
