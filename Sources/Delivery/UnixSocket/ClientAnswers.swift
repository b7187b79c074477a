import Synchronization

/// Holds clients' answers to scans until the delivery takes them. Some come early, from clients that read the scan in the journal before
/// its turn came. The first answer to a scan counts.
final class ClientAnswers: Sendable {
    /// How many answers are kept; then the oldest are dropped, and their scans are offered again.
    static let limit = 4096

    private struct State {
        var receipts: [String: Receipt] = [:]
        /// Their ids, oldest first.
        var order: [String] = []
        /// Scans that were offered, in order.
        var offered: [String] = []

        var awaited: Int { offered.count { receipts[$0] == nil } }
    }

    /// Rings with each answer (`arrival`).
    let bell = Doorbell()
    private let state = Mutex(State())

    /// These scans are offered now.
    func expect(_ ids: [String]) { state.withLock { $0.offered = ids } }

    func stopExpecting() { state.withLock { $0.offered = [] } }

    /// Scans that were offered and not answered.
    var awaited: Int { state.withLock { $0.awaited } }

    func isAwaited(_ id: String) -> Bool { state.withLock { $0.offered.contains(id) && $0.receipts[id] == nil } }

    func add(_ receipt: Receipt, to id: String) {
        state.withLock { state in
            guard state.receipts[id] == nil else { return }
            if state.order.count == Self.limit { state.receipts[state.order.removeFirst()] = nil }
            state.order.append(id)
            state.receipts[id] = receipt
        }
        bell.ring(.arrival)
    }

    /// Takes out the answer to a scan.
    func take(_ id: String) -> Receipt? {
        state.withLock { state in
            guard let receipt = state.receipts.removeValue(forKey: id) else { return nil }
            // Answers mostly come and go in the same order.
            if let index = state.order.firstIndex(of: id) { state.order.remove(at: index) }
            return receipt
        }
    }
}
