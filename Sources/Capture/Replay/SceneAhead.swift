import Dispatch
import Linux
import Reading
import Synchronization
import Vocabulary

/// Decodes a scene's next picture while the current one is on show, on a separate queue: a picture that takes seconds holds up no frame.
final class SceneAhead: Sendable {
    /// What came of looking for the next picture.
    struct Loaded: Sendable {
        /// Warnings about pictures that were left out on the way, or are damaged.
        var warnings: [String] = []
        /// `nil`: the scene was shown to its end.
        var outcome: Result<Picture?, CameraFailure>
    }

    private struct State {
        var loaded: Loaded?
        var isLoading = false
        /// The end, a failure or a stop: nothing comes after it.
        var isOver = false
    }

    private let state = Mutex(State())
    /// Held only while looking for a picture.
    private let reel: Mutex<SceneReel>
    private let renderer: PictureRenderer
    private let queue = DispatchQueue(label: "scanstation.scene")
    private let changed = Waker()

    init(files: [FileName], loops: Bool, size: FrameSize, renderer: PictureRenderer) {
        self.renderer = renderer
        reel = Mutex(SceneReel(files: files, loops: loops, size: size, renderer: renderer))
    }

    deinit { renderer.stop() }

    /// Returns what is ready and starts the next one. Waits until `deadline` (CLOCK_MONOTONIC; `nil`: as long as it takes; in the past: not
    /// at all). `nil` when nothing is ready by then, or everything was stopped.
    func take(untilMonotonic deadline: Int64?) -> Loaded? {
        while true {
            let (loaded, isOver): (Loaded?, Bool) = state.withLock { state in
                defer { state.loaded = nil }
                if case .success(.some)? = state.loaded?.outcome {} else if state.loaded != nil { state.isOver = true }
                if !state.isLoading, !state.isOver {
                    state.isLoading = true
                    queue.async { self.load() }
                }
                return (state.loaded, state.isOver)
            }
            if loaded != nil || isOver { return loaded }
            guard changed.wait(untilMonotonic: deadline) else { return nil }
        }
    }

    /// Ends a decode under way; nothing comes after that.
    func stop() {
        state.withLock { $0.isOver = true }
        renderer.stop()
        changed.wake()
    }

    private func load() {
        guard !state.withLock({ $0.isOver }) else { return }
        var warnings: [String] = []
        let (outcome, isDecoded) = reel.withLock { reel in
            let outcome = Result { () throws(CameraFailure) in try reel.next { warnings.append($0) } }
            return (outcome, reel.isDecoded)
        }
        // A scene that fits into the cache no longer needs a process.
        if isDecoded { renderer.stop() }
        state.withLock { state in
            state.isLoading = false
            if !state.isOver { state.loaded = Loaded(warnings: warnings, outcome: outcome) }
        }
        changed.wake()
    }
}
