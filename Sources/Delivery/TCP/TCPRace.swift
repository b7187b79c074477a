import Linux
import Vocabulary

/// Connects a plain socket to the first of several addresses that answers.
typealias TCPRace = AddressRace<Descriptor, SystemError>

extension TCPRace {
    /// `target`: what the failure is said to be of; an address that is the same isn't named again. `timeout`: for all addresses together.
    convenience init(
        loop: EventLoop, addresses: [SocketAddress], target: String, timeout: Duration,
        done: @escaping (Result<Descriptor, DeliveryError>) -> Void
    ) {
        self.init(
            loop: loop, candidates: addresses.count, timeout: timeout,
            open: { race, index in
                race.opened(index, TCPSocket.connect(to: addresses[index]).map { ($0, $0.number) })
            },
            describe: { _, error in error },
            done: { result in done(result.mapError { Self.describe($0, addresses, target, timeout) }) })
    }

    private static func describe(
        _ lost: Lost, _ addresses: [SocketAddress], _ target: String, _ timeout: Duration
    ) -> DeliveryError {
        func named(_ index: Int, _ problem: String) -> String {
            let address = "\(addresses[index])"
            return address == target ? problem : "\(address): \(problem)"
        }
        let failures = lost.failures.map { named($0.index, $0.problem.text) }
        let silent = lost.silent.map { named($0, "no answer within \(DurationText.text(timeout)) (connectTimeout)") }
        return DeliveryError(.system, (failures + silent).joined(separator: "; "))
    }
}
