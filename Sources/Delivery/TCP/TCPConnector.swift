import Glibc

/// Connects a plain socket to the first of several addresses that answers. Belongs to one event loop, and calls `done` once, on it.
final class TCPConnector {
    private let addresses: [SocketAddress]
    private var race: AddressRace<Descriptor, SystemError>?

    /// `timeout`: for all addresses together.
    init(
        loop: EventLoop, addresses: [SocketAddress], timeout: Duration,
        done: @escaping (Result<Descriptor, DeliveryError>) -> Void
    ) {
        self.addresses = addresses
        race = AddressRace(
            loop: loop, candidates: addresses.count, timeout: timeout, open: { self.open($0) },
            describe: { _, error in error },
            done: { result in
                done(result.mapError { Self.describe($0, addresses, timeout) })
            })
    }

    func start() { race?.start() }

    /// `done` isn't called any more.
    func cancel() {
        race?.cancel()
        race = nil
    }

    private func open(_ index: Int) {
        let address = addresses[index]
        guard let descriptor = TCPSocket.make(address.family) else {
            race?.opened(index, .failure(SystemError()))
            return
        }
        if let error = TCPSocket.connect(descriptor, to: address) {
            race?.opened(index, .failure(error))
        } else {
            race?.opened(index, .success((descriptor, descriptor.number)))
        }
    }

    private static func describe(
        _ lost: AddressRace<Descriptor, SystemError>.Lost, _ addresses: [SocketAddress],
        _ timeout: Duration
    ) -> DeliveryError {
        let failures = lost.failures.map { "\(addresses[$0.index]): \($0.problem.text)" }
        let silent = lost.silent.map {
            "\(addresses[$0]): no answer within \(timeout) (connectTimeout)"
        }
        return DeliveryError(.system, (failures + silent).joined(separator: "; "))
    }
}
