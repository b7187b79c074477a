import Journal
import Linux
import ScanCore
import Settings
import Vocabulary
import Wire

/// What outputs may ask of their station.
package struct OutputContext: Sendable {
    /// The station's name on the wire, and the version of the program.
    package var station: String
    package var version: String
    /// Where the output is in the configuration, for messages: `outputs[1]`.
    package var place = "outputs"
    /// What the station has, for outputs that announce it (Home Assistant).
    package var hasTorch: Bool
    /// Whether sessions can be started by command.
    package var isTriggered: Bool
    /// Where standard output goes.
    package var standardOutput: Int32 = 1
    /// Carries out a command of a client or broker.
    package var commands: CommandHandler
    /// Takes a host's answer to a scan; never blocks.
    package var answer: @Sendable (HostAnswer) -> Void
    /// Takes a refusal that is no verdict; never blocks.
    package var object: @Sendable (HostObjection) -> Void
    /// Where clients that were away read what they missed; `nil`: there is no journal.
    package var journal: (any ScanJournal)?
    /// The station's own folder, for what an output must remember across a restart; `nil`: nothing is remembered.
    package var stateFolder: String?
    /// See `OfferLedger.Rule`: anything but the default is a fault built in for tests.
    package var answerRule = OfferLedger.Rule.everyOffer
    /// The clock for when a scan was sent and an answer in JSON came; tests have their own.
    package var answerClock: @Sendable () -> Instant = { MonotonicClock.instant }
    /// The files of the station and of its other outputs, which this one must not write into or move; `nil`: unknown.
    package var files: FileClaims?

    package init(
        station: String = "station", version: String = "0", hasTorch: Bool = false, isTriggered: Bool = false,
        commands: @escaping CommandHandler = { command, _ in
            Reply(command: command.name, error: "this output takes no commands: send them to the control socket")
        },
        answer: @escaping @Sendable (HostAnswer) -> Void = { _ in },
        object: @escaping @Sendable (HostObjection) -> Void = { _ in }, journal: (any ScanJournal)? = nil,
        stateFolder: String? = nil,
        files: FileClaims? = nil
    ) {
        self.station = station
        self.version = version
        self.hasTorch = hasTorch
        self.isTriggered = isTriggered
        self.commands = commands
        self.answer = answer
        self.object = object
        self.journal = journal
        self.stateFolder = stateFolder
        self.files = files
    }
}
