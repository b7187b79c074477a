/// Keeps an observer registered; names it for `cancel`. Cancelling is done by the owner that handed it out.
package struct ObserverToken: Hashable, Sendable {
    let id: UInt64
}
