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
    /// - Returns: the event, if it is one of these and was waiting.
    mutating func settle(message id: Int32, _ receipt: Receipt) -> Event? {
        guard let place = outstanding.removeValue(forKey: id) else { return nil }
        receipts[place] = receipt
        return events[place]
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
