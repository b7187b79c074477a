import Wire

/// Events on their way to a broker together, and the receipt of each.
///
/// Events after a failed one count for nothing, whatever became of them: the journal offers them again, in order.
struct MQTTBatch: Sendable {
    let events: [Event]
    private var receipts: [Receipt?]
    /// Places in `events` by message id: those that the broker has yet to confirm.
    private var outstanding: [Int32: Int] = [:]

    init(_ events: [Event]) {
        self.events = events
        receipts = Array(repeating: nil, count: events.count)
    }

    /// Whether nothing is left to wait for.
    var isDone: Bool { outstanding.isEmpty }

    mutating func sent(_ place: Int, as id: Int32) { outstanding[id] = place }

    mutating func settle(_ place: Int, _ receipt: Receipt) { receipts[place] = receipt }

    /// The broker's word on a message.
    /// - Returns: the event, if it was waiting and the broker has it for good: not after a failed one, as then both are offered again.
    mutating func settle(message id: Int32, _ receipt: Receipt) -> Event? {
        guard let place = outstanding.removeValue(forKey: id) else { return nil }
        receipts[place] = receipt
        return receipt == .accepted && !hasFailure(before: place) ? events[place] : nil
    }

    private func hasFailure(before place: Int) -> Bool {
        receipts[..<place].contains { if case .failed = $0 { true } else { false } }
    }

    func isWaiting(for id: Int32) -> Bool { outstanding[id] != nil }

    /// What the broker hasn't confirmed fails, worth another try.
    mutating func failOutstanding(_ reason: String) {
        for place in outstanding.values { receipts[place] = .failed(reason: reason, retry: true) }
        outstanding = [:]
    }

    /// The receipts of the first events, up to a failed one; and those of these events that the broker has.
    var conclusion: (receipts: [Receipt], accepted: [Event]) {
        var out: (receipts: [Receipt], accepted: [Event]) = ([], [])
        for case (let event, let receipt?) in zip(events, receipts) {
            out.receipts.append(receipt)
            if receipt == .accepted { out.accepted.append(event) }
            if case .failed = receipt { break }
        }
        return out
    }
}
