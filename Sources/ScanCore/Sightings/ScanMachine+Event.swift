import Settings
import Vocabulary

extension ScanMachine {
    /// What the machine is told. `at` of `handle` is the moment it happened: for button edges and trigger commands the edge or
    /// arrival itself (frames exposed before it don't count), for everything else now.
    package enum Event: Hashable, Sendable {
        /// Scanning begins. Before it, and after `stop`, nothing is read.
        case start
        /// The station shuts down: an open session is cancelled, reading and the camera are stopped.
        case stop
        /// A frame's result. In the order of frame sequences; a late one may confirm a sighting, never create or remove one.
        case read(ReadResult)
        /// The trigger button went down.
        case pressed
        /// The trigger button came up.
        case released
        /// A client asks for a session (modes `level`, `pulse`, `host`).
        case trigger
        /// A client ends the session.
        case release
        /// Someone confirms the waiting read, by button or command.
        case confirm
        /// Someone says no to the waiting read.
        case cancelConfirmation
        /// The camera failed. Not for a camera that stopped because the machine asked for it.
        case cameraLost
        case cameraBack
        /// Scans can't be kept: an open session is cancelled and nothing is read, but the camera goes on.
        case journalLost
        /// They can be kept again. What is in view counts as new: it may be what couldn't be kept.
        case journalBack
        /// A client stops scanning for a while: an open session is cancelled.
        case pause
        case resume
        /// The time of the last `wakeAt` has come.
        case tick
        /// New trigger settings. Another mode cancels an open session; otherwise they count from the next session on.
        case settings(TriggerSettings)
        /// A new confirmation policy, for reads from now on.
        case confirmation(ConfirmationSettings)
        /// A new `capture.idle`.
        case idle(CaptureSettings.Idle)
        /// New rules by symbology; the machine uses their `agreement`, for codes that appear from now on.
        case symbologies([Symbology: SymbologySettings])
    }
}
