import Linux
import ScanCore
import Wire

/// What the server knows of one client. Belongs to the server's actor.
final class ClientConnection {
    let id: ClientID
    let descriptor: Descriptor
    let credentials: PeerCredentials?
    /// The event loop's watch; `nil` once the client hung up: polling on would say so for ever.
    var watch: Int?
    var splitter: LineSplitter
    var outgoing = OutgoingLines()
    /// Event types it wants; empty = all.
    var types: Set<String> = []
    /// The last scan that it has, as far as it told us with `subscribe`, or we sent it since; `nil`: it didn't say, and
    /// gets every scan as it comes.
    var position: UInt64?
    /// It counts scans by the journal's id: it is told what becomes of the journal, whatever types it wants.
    var followsJournal = false
    /// What it missed is being read from the journal; scans as they come are left out until that is done.
    var replay: Replay?
    /// The scans that it was sent and may still answer without naming them.
    var ledger: OfferLedger
    /// Commands that came while one is carried out.
    var commands: [[UInt8]] = []
    var isBusy = false
    /// It will send nothing any more.
    var hasEnded = false
    /// It sent at least one line; who never did is a pure listener.
    var hasSpoken = false
    /// Closed as soon as what waits for it was written.
    var isClosing = false

    init(
        id: ClientID, descriptor: Descriptor, credentials: PeerCredentials?, maxLineBytes: Int, ledger: OfferLedger
    ) {
        self.id = id
        self.descriptor = descriptor
        self.credentials = credentials
        self.ledger = ledger
        splitter = LineSplitter(maxLineBytes: maxLineBytes)
    }

    func wants(_ type: String) -> Bool { types.isEmpty || types.contains(type) }

    func wants(_ event: Event) -> Bool {
        if wants(event.type) { return true }
        guard followsJournal, case .state(let state) = event.body else { return false }
        return state.part == "journal"
    }

    /// Nothing more will be answered: it ended, and everything it asked was answered.
    var isDone: Bool { hasEnded && !isBusy && commands.isEmpty && replay == nil && (hasSpoken || watch == nil) }

    struct Replay {
        /// Tells an answer of the journal to this replay from one to an earlier replay.
        let number: UInt64
        /// The journal was asked, or is to be asked again in a while.
        var isWaiting = false
    }
}
