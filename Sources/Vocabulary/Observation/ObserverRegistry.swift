/// The observers of one owner, called in the order in which they registered.
///
/// A value without a lock: the owner (an actor) keeps it and so isolates registering, cancelling and calling. An observer
/// that is cancelled while a notice is being delivered is not called any more, and may cancel itself: the owner delivers by
/// asking for `tokens` and looking each one up again right before its call.
package struct ObserverRegistry<Notice: Sendable>: Sendable {
    package typealias Callback = @Sendable (Notice) -> Void

    private var callbacks: [UInt64: Callback] = [:]
    private var nextID: UInt64 = 1

    package init() {}

    package mutating func add(_ callback: @escaping Callback) -> ObserverToken {
        defer { nextID += 1 }
        callbacks[nextID] = callback
        return ObserverToken(id: nextID)
    }

    package mutating func cancel(_ token: ObserverToken) { callbacks[token.id] = nil }

    package var tokens: [ObserverToken] { callbacks.keys.sorted().map(ObserverToken.init) }

    package func callback(for token: ObserverToken) -> Callback? { callbacks[token.id] }
}
