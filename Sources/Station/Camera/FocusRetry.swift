import Vocabulary

/// Asks for another autofocus when frames go by unread: the lens may have settled on the wall.
///
/// In a session every frame counts, a blurred scene that shows nothing to decode above all. Without one only those that a decoder
/// looked at: an empty counter is no reason to move the lens. Each vain attempt doubles the wait, so that a scene without a
/// code doesn't keep the lens hunting; a read or a trigger starts over.
package struct FocusRetry: Hashable, Sendable {
    /// The wait grows to this many times its first length.
    package static let largestFactor = 32

    private var unread = 0
    private var factor = 1

    package init() {}

    /// - Parameter frames: the unread frames after which the first new attempt is due (`capture.focus.retryAfterFrames`).
    /// - Returns: whether to focus now.
    package mutating func handle(_ result: ReadResult, inSession: Bool, after frames: Int) -> Bool {
        guard result.symbols.isEmpty else {
            self = FocusRetry()
            return false
        }
        // A lens that moves reads nothing, which is no reason to start it again.
        guard inSession || result.outcome == .decoded, result.frame.focusState != .scanning else { return false }
        unread += 1
        guard unread >= max(frames, 1) * factor else { return false }
        unread = 0
        factor = min(factor * 2, Self.largestFactor)
        return true
    }
}
