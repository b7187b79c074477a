/// What one transaction writes.
struct JournalBatch: Sendable {
    struct Row: Sendable {
        var sequence: UInt64
        var id: String
        var wallNanoseconds: Int64
        var isSynced: Bool
        var boot: String
        var session: UInt64
        var line: [UInt8]
    }

    struct ExceptionRow: Sendable {
        var output: String
        var exception: Settlement.Exception
        var wallNanoseconds: Int64
    }

    var rows: [Row] = []
    var outputs: [JournalLedger.Output] = []
    var exceptions: [ExceptionRow] = []
    var forgotten: [String] = []
    var answers: [RecordedAnswer] = []
    var notes: [JournalNote: String] = [:]
    /// Scans up to here are dropped; the last of the transaction, after the receipts that allow it.
    var dropThrough: UInt64?
    /// Written when the newest scan is dropped too, or there is none, so that a sequence is never given twice.
    var last: UInt64?
    /// Something small, to see how long a commit takes.
    var isProbe = false

    var isEmpty: Bool {
        rows.isEmpty && outputs.isEmpty && exceptions.isEmpty && forgotten.isEmpty && answers.isEmpty && notes.isEmpty
            && dropThrough == nil && last == nil && !isProbe
    }
}
