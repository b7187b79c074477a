import Vocabulary

/// A line went away or came back. Sent once per reason, not at every new attempt.
package enum PeripheralNotice: Hashable, Sendable {
    /// It couldn't be taken or stopped working; what happened and what to do. It is tried again automatically.
    case lost(LineRole, message: String)
    case recovered(LineRole)
    /// This many notices were lost here, because their reader was too slow: look at the lines themselves.
    case missed(Int)

    /// `nil`: no particular line.
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

    /// How many notices wait for a slow reader.
    static let streamLimit = 64

    /// Notices from now on; the newest 64 are kept for a slow reader, which learns how many it `missed`.
    package func stream() -> AsyncStream<PeripheralNotice> {
        observers.stream(limit: Self.streamLimit) { .missed($0) }
    }

    func post(_ notice: PeripheralNotice) { observers.post(notice) }
}
