import Linux

/// Connects a plain socket to the first of several addresses that answers.
typealias TCPRace = AddressRace<Descriptor, SystemError>

extension TCPRace {
    /// `timeout`: for all addresses together.
    convenience init(
        loop: EventLoop, addresses: [SocketAddress], timeout: Duration,
        done: @escaping (Result<Descriptor, DeliveryError>) -> Void
    ) {
        self.init(
            loop: loop, candidates: addresses.count, timeout: timeout,
            open: { race, index in
                race.opened(index, TCPSocket.connect(to: addresses[index]).map { ($0, $0.number) })
            },
            describe: { _, error in error },
            done: { result in done(result.mapError { Self.describe($0, addresses, timeout) }) })
    }

    private static func describe(_ lost: Lost, _ addresses: [SocketAddress], _ timeout: Duration) -> DeliveryError {
        let failures = lost.failures.map { "\(addresses[$0.index]): \($0.problem.text)" }
        let silent = lost.silent.map { "\(addresses[$0]): no answer within \(timeout) (connectTimeout)" }
        return DeliveryError(.system, (failures + silent).joined(separator: "; "))
    }
}
