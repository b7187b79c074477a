import Wire

/// The durable, ordered record of scans: `SQLiteJournal` on disk, `MemoryJournal` for a desk.
///
/// One writer, the scan loop, appends; each output reads from its own cursor and settles what it has receipts for. All methods
/// may be called from any task. Reading never waits for a commit under way.
package protocol ScanJournal: Sendable {
    /// The journal's states, pushed as they change; starts with the current one. One reader: the station.
    var states: AsyncStream<JournalState> { get }
    /// Opens or makes the journal. Whatever is in the way (a read-only folder, a newer version) becomes a state, and the journal tries
    /// again.
    func open() async
    /// Appends scans in order; each gets the next sequence and the journal's id. Returns them as kept, on disk. All or none.
    func append(_ scans: [Event]) async throws(JournalError) -> [Event]
    /// At most `limit` scans with a sequence above `sequence`, in order; empty at the end.
    func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event]
    /// Names the outputs of this run: the journal keeps what required ones haven't settled. Returns each one's cursor: the last sequence
    /// that it has settled. An output that is new to the journal begins at its end.
    func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64]
    /// Records receipts of one output; they are durable on return. The journal drops nothing before that.
    func settle(_ settlement: Settlement) async throws(JournalError)
    /// One scan by its id; `nil`: it isn't there any more.
    func scan(id: String) async throws(JournalError) -> Event?
    /// What each output of this run has said about scans, by their sequences.
    func receipts(of sequences: [UInt64]) async throws(JournalError) -> [UInt64: [JournalFile.Receipt]]
    /// Records what the host said about a scan, in place of what it said before; durable on return. Nothing, if the scan isn't kept any more.
    func record(_ answer: RecordedAnswer) async throws(JournalError)
    /// What the host said last about scans, by their sequences.
    func answers(to sequences: [UInt64]) async throws(JournalError) -> [UInt64: RecordedAnswer]
    /// Keeps a text beside the scans, in place of the one before; durable on return.
    func remember(_ text: String, as note: JournalNote) async throws(JournalError)
    /// `nil`: there is none.
    func note(_ note: JournalNote) async throws(JournalError) -> String?
    /// What is in it, for `status`, `subscribe` and `journal`.
    func report() async -> JournalReport
    /// Commits what is under way and closes.
    func close() async
}
