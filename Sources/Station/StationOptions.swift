import Capture
import Journal
import Linux
import Peripherals
import Reading
import ScanCore
import StationConfiguration

/// What a station gets besides its settings: facts about the machine and the command line, not from the configuration.
package struct StationOptions: Sendable {
    /// Path of the worker executable, `scanstation-reader`.
    package var readerExecutable: String
    /// The panel that stands in for GPIO lines; `nil` drives the machine's own lines.
    package var panel: SimulatedPanel?
    /// The configuration file; no output may write into it.
    package var configuration: String?
    /// How a person changes and restarts it.
    package var place = ServicePlace()
    /// Where settings that are changed over the console are kept, and what is kept; `nil`: nothing is.
    package var overlay: ConsoleOverlay?
    /// What people should know about the overlay, in sentences.
    package var overlayNotes: [String] = []
    /// How long such a change is on trial.
    var trialTime = SettingsTrialMachine.standardTime
    /// Version for `status`.
    package var version: String
    /// Whether this version has proved itself here.
    package var standing = VersionStanding.settled
    /// How often the machine's health is looked at.
    package var pressureInterval: Duration = .seconds(5)
    /// A call into the camera that takes longer is reported: libcamera's `stop` can hang after a cable fault. One that takes
    /// longer than `capture.hangLimit` ends the station.
    package var cameraPatience: Duration = .seconds(10)
    /// How often the call under way is looked at.
    package var cameraWatchInterval: Duration = .seconds(1)
    /// What the linked decoders read; symbologies that none of them reads are refused. `nil`: unknown, so nothing is refused.
    package var decoders: DecoderInventory?
    /// How long a question about the camera may take before the answer goes out without it.
    package var answerPatience: Duration = .seconds(1)
    /// How long `start` waits for the journal to be open; it goes on opening after that.
    package var journalPatience: Duration = .seconds(2)
    /// How long the camera may take to stop when the station stops.
    package var cameraTimeout: Duration = .seconds(3)
    /// How long outputs may take to write what is left when the station stops.
    package var drainTimeout: Duration = .seconds(3)
    /// How long a light or a beep may wait for its turn and for a busy machine before it is left out.
    package var feedbackLimits = FeedbackMachine.Limits()
    /// How late the relay may move after the answer that it moves for: a machine that stood still meanwhile must not open a door. A loaded one takes some
    /// milliseconds.
    package var relayPatience: Duration = .seconds(2)
    /// How long the first password's steps take.
    package var firstPasswordLimits = FirstPasswordMachine.Limits()
    /// Scans that an earlier run left in the journal aren't delivered: those of a replayed scene are no real goods.
    package var skipsEarlierRuns = false
    /// Where standard output goes: elsewhere when a panel has the terminal.
    package var standardOutput: Int32 = 1
    /// Replaces the settings' journal, for benches and tests that watch it or break it.
    package var journal: (any ScanJournal)?
    /// See `OfferLedger.Rule`: a fault built in for `make stress`.
    package var answerRule = OfferLedger.Rule.everyOffer
    /// Replace the settings' camera and the wall clock; for tests.
    var cameraSystem: (any CameraSystem)?
    var clock = MachineClock.system

    package init(readerExecutable: String, panel: SimulatedPanel? = nil, version: String) {
        self.readerExecutable = readerExecutable
        self.panel = panel
        self.version = version
    }
}
