import Control
import Linux
import ScanCore
import Vocabulary
import Wire

/// Who is at the other end of one connection. Belongs to the output's actor.
final class TCPPeer {
    let id: ClientID
    let descriptor: Descriptor
    /// `10.0.0.5:40112`, for messages.
    let address: String
    var watch: Int?
    var splitter: LineSplitter
    var outgoing = OutgoingLines()
    /// Event types it wants; empty = all.
    var types: Set<String> = []
    /// Commands that came while another is carried out.
    var commands: [ReceivedCommand] = []
    var isBusy = false
    /// Lines in a row that weren't commands.
    var badLines = 0
    /// It is closed as soon as what waits for it is written.
    var isClosing = false
    /// The event under way: bytes left to write until it is out, and whether that was noticed.
    var offerRest: Int?
    var hasTaken = false
    /// With ACK and NAK bytes: what it was sent and what it answered, over the whole connection.
    var line: AckLine?
    var lineTimer: Int?
    let openedAt: Instant
    /// With lines of JSON: what it was offered and may still answer without naming it.
    var ledger: OfferLedger

    init(
        id: ClientID, descriptor: Descriptor, address: String, maxLineBytes: Int, ledger: OfferLedger, openedAt: Instant
    ) {
        self.openedAt = openedAt
        self.id = id
        self.descriptor = descriptor
        self.address = address
        splitter = LineSplitter(maxLineBytes: maxLineBytes)
        self.ledger = ledger
    }

    /// Whether an answer byte that comes now may be to another scan, sent on an earlier connection.
    func mayAnswer(besides scan: String, at now: Instant) -> Bool {
        line?.owesFromBefore(besides: scan, at: now) ?? false
    }

    /// With bytes: what the party may still answer on its next connection; `nil`: nothing.
    func debts(at now: Instant) -> Debts? { line?.debts(openedAt: openedAt, at: now) }

    func wants(_ type: String) -> Bool { !isClosing && (types.isEmpty || types.contains(type)) }
}
