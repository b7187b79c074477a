import Vocabulary

/// A line went away or came back. Told once per reason, not at every new attempt.
package enum PeripheralNotice: Hashable, Sendable {
    /// It couldn't be had or stopped working; what happened and what to do. It is tried again by itself.
    case lost(LineRole, message: String)
    case recovered(LineRole)
    /// This many notices were lost here, as their reader was too slow: look at the lines themselves.
    case missed(Int)

    /// `nil`: of no line in particular.
    package var role: LineRole? {
        switch self {
        case .lost(let role, _), .recovered(let role): role
        case .missed: nil
        }
    }
}

/// Where all peripherals of a station report to.
package final class PeripheralNotices: Sendable {
    private let observers = OrderedObservers<PeripheralNotice>()

    package init() {}

    package func observe(_ callback: @escaping @Sendable (PeripheralNotice) -> Void) -> ObserverToken {
        observers.add(callback)
    }

    package func cancel(_ token: ObserverToken) { observers.cancel(token) }

    /// Notices that wait for a slow reader.
    static let streamLimit = 64

    /// Notices from now on; the newest 64 are kept for a slow reader, which is told what it `missed`.
    package func stream() -> AsyncStream<PeripheralNotice> {
        observers.stream(limit: Self.streamLimit) { .missed($0) }
    }

    func post(_ notice: PeripheralNotice) { observers.post(notice) }
}
