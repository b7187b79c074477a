import Vocabulary

/// Asks for another autofocus when frames go by unread: the lens may have settled on the wall.
///
/// In a session every frame counts, especially a blurred scene with nothing to decode. Without a session only frames that a decoder looked
/// at count: an empty counter is no reason to move the lens. Each failed attempt doubles the wait, so that a scene without a code doesn't
/// keep the lens hunting; a read or a trigger starts over.
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
        // While the lens moves, nothing is read; that is no reason to focus again.
        guard inSession || result.outcome == .decoded, result.frame.focusState != .scanning else { return false }
        unread += 1
        guard unread >= max(frames, 1) * factor else { return false }
        unread = 0
        factor = min(factor * 2, Self.largestFactor)
        return true
    }
}
