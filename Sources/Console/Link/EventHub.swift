import Synchronization

/// Hands the station's events to all streams. A stream that doesn't keep up is ended: its page comes back and says what it had last.
package final class EventHub: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Events that wait for one stream.
        package var queue = 512
        package var perVisitor = 8
        package var inAll = 64

        package init() {}
    }

    package enum Refusal: Error, Hashable, Sendable { case tooMany }

    package final class Subscription: Sendable {
        package let events: AsyncStream<StreamEvent>
        fileprivate let continuation: AsyncStream<StreamEvent>.Continuation
        fileprivate let visitor: Visitor.Kind

        fileprivate init(visitor: Visitor.Kind, queue: Int) {
            self.visitor = visitor
            (events, continuation) = AsyncStream.makeStream(
                of: StreamEvent.self, bufferingPolicy: .bufferingOldest(queue))
        }

        package func end() { continuation.finish() }
    }

    /// Ends a subscription when nobody holds it any more: a response whose client is gone before it begins never runs.
    package final class Membership: Sendable {
        private let hub: EventHub
        package let subscription: Subscription

        package init(_ subscription: Subscription, of hub: EventHub) {
            (self.subscription, self.hub) = (subscription, hub)
        }

        deinit { hub.unsubscribe(subscription) }
    }

    private let limits: Limits
    private let subscriptions = Mutex<[Subscription]>([])
    private let changed: @Sendable () -> Void

    /// - Parameter changed: called after the number of streams has changed.
    package init(limits: Limits = Limits(), changed: @escaping @Sendable () -> Void = {}) {
        self.limits = limits
        self.changed = changed
    }

    package var count: Int { subscriptions.withLock(\.count) }

    /// A visitor who opens more than its share loses its oldest; when there are too many in all, nobody gets another.
    package func subscribe(_ visitor: Visitor.Kind) throws(Refusal) -> Subscription {
        let subscription = Subscription(visitor: visitor, queue: limits.queue)
        let isTaken = subscriptions.withLock { list in
            let own = list.filter { $0.visitor == visitor }
            if own.count >= limits.perVisitor, let oldest = own.first {
                oldest.end()
                list.removeAll { $0 === oldest }
            }
            guard list.count < limits.inAll else { return false }
            list.append(subscription)
            return true
        }
        guard isTaken else { throw .tooMany }
        changed()
        return subscription
    }

    package func unsubscribe(_ subscription: Subscription) {
        subscription.end()
        subscriptions.withLock { $0.removeAll { $0 === subscription } }
        changed()
    }

    package func publish(_ event: StreamEvent) {
        let isFewer = subscriptions.withLock { list in
            let count = list.count
            list.removeAll { subscription in
                if case .enqueued = subscription.continuation.yield(event) { return false }
                subscription.end()
                return true
            }
            return list.count < count
        }
        if isFewer { changed() }
    }

    /// Ends the streams of those who may see nothing any more.
    package func end(where isOver: (Visitor.Kind) -> Bool) {
        subscriptions.withLock { list in
            list.removeAll { subscription in
                guard isOver(subscription.visitor) else { return false }
                subscription.end()
                return true
            }
        }
        changed()
    }
}
