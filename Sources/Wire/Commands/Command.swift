import Settings
import Vocabulary

/// What a client may ask of the station, one JSON object per line: `{"command":"torch","mode":"on"}`.
package enum Command: Hashable, Sendable {
    case status
    case trigger
    case release
    case confirm
    /// A client has taken the scan with this id.
    case ack(id: String)
    /// The host accepts or refuses a scan; `nil`: it doesn't say which scan, and `OfferLedger` decides whether that can be known.
    case accept(id: String?, relay: RelayWish = .asConfigured)
    case refuse(id: String?, reason: String?)
    case torch(TorchMode)
    /// Focus at a point of the upright frame; `nil`: back to the configured focus mode, with one fresh run.
    case focus(Point?)
    case camera(id: String)
    case viewport(Viewport)
    case pause
    case resume
    /// Relay pulse; `nil`: the configured length.
    case relay(Duration?)
    /// Changes settings while running: key (as in the YAML file) to value.
    case set([String: JSONValue])
    /// The same on trial: it takes itself back unless somebody keeps it. `revision`: of the settings that the client has seen; `author`: a name
    /// for people.
    case change([String: JSONValue], revision: String, author: String?)
    /// Keeps what is on trial. `revision`: of the settings that the client means to keep.
    case keep(revision: String?)
    case takeBack
    /// Which cameras there are and what they offer, from the process that holds them.
    case cameras
    /// GPIO lines the station holds.
    case lines
    /// Which event types this connection wants; empty = all. `after`: scans of the journal from the next sequence on come first; `journal`:
    /// the id of the journal that the sequence belongs to, as the client knows it.
    /// `secrets`: what scans show of passwords; never more than the door that it came through allows.
    case subscribe(types: [String], after: UInt64? = nil, journal: String? = nil, secrets: SecretPolicy? = nil)
    /// A console says who it is, where its page is and how many people look at it, and hears what it has to know.
    case hello(ConsoleHello)
    /// The next picture that is newer than frame `after`.
    case preview(PreviewRequest)
    /// The station shows and sounds where it is.
    case identify
    /// Scans of the journal, newest first.
    case scans(ScanQuery)
    /// One of them.
    case scan(id: String, secrets: SecretPolicy = .withheld)
    /// Delivers a scan to an output once more.
    case sendAgain(id: String, output: String)
    /// A made-up scan for an output: nothing keeps it, and it moves no relay.
    case testScan(output: String)
    /// How the outputs are, and what to do about each.
    case outputs
    /// What can be checked while the station runs.
    case doctor
    /// The settings that a console may change: what each takes, is, and is for.
    case schema
    /// The buzzer follows the sharpness for two minutes, or no longer.
    case aim(isOn: Bool)
    /// A browser without a password asks for the way by button and QR code, or what became of that.
    case firstPassword(FirstPasswordRequest)
}
