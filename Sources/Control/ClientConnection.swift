import Linux
import ScanCore
import Settings
import Vocabulary
import Wire

/// What the server knows about one client. Belongs to the server's actor.
final class ClientConnection {
    let id: ClientID
    let descriptor: Descriptor
    let credentials: PeerCredentials?
    /// The event loop's watch; `nil` once the client has hung up, because polling would report that forever.
    var watch: Int?
    var splitter: LineSplitter
    var outgoing = OutgoingLines()
    /// Event types it wants; empty = all.
    var types: Set<String> = []
    /// The last scan that it has: what it said with `subscribe`, or what we have sent since; `nil`: it didn't say, and gets every scan as
    /// it comes.
    var position: UInt64?
    /// It counts scans by the journal's id, so it hears what becomes of the journal, whatever types it wants.
    var followsJournal = false
    /// What it missed is being read from the journal; new scans are left out until that is done.
    var replay: Replay?
    /// The scans that were sent to it and that it may still answer without naming them.
    var ledger: OfferLedger
    let openedAt: Instant
    /// Commands that came while another is carried out.
    var commands: [ReceivedCommand] = []
    var isBusy = false
    /// It asked for a picture and hasn't got it yet.
    var isAwaitingPicture = false
    /// What it asked to see of secrets; `nil`: what the socket shows.
    var secrets: SecretPolicy?
    /// It will send nothing any more.
    var hasEnded = false
    /// It sent at least one line; a client that never did is a pure listener.
    var hasSpoken = false
    /// It is closed as soon as what waits for it is written.
    var isClosing = false

    init(
        id: ClientID, descriptor: Descriptor, credentials: PeerCredentials?, maxLineBytes: Int, ledger: OfferLedger,
        openedAt: Instant
    ) {
        self.openedAt = openedAt
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

    /// It ended, and everything it asked has been answered.
    var isDone: Bool {
        hasEnded && !isBusy && !isAwaitingPicture && commands.isEmpty && replay == nil && (hasSpoken || watch == nil)
    }

    struct Replay {
        /// Tells the journal's answers to this replay from those to an earlier one.
        let number: UInt64
        /// The journal was asked, or will be asked again in a while.
        var isWaiting = false
    }
}
