/// Something that is known of each of the parties at the other end, for as many of them as come and go in practice.
package struct RecentParties<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How many are remembered; then the oldest are forgotten.
    package static var limit: Int { 64 }

    private var values: [Key: Value] = [:]
    /// Oldest first.
    private var order: [Key] = []

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    package subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            if values[key] != nil { order.removeAll { $0 == key } }
            values[key] = newValue
            guard newValue != nil else { return }
            order.append(key)
            if order.count > Self.limit { values[order.removeFirst()] = nil }
        }
    }
}

extension RecentParties: Equatable where Value: Equatable {}

extension RecentParties: Hashable where Value: Hashable {}
