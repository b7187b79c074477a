import ArgumentParser

/// Faults that are built into a station to see that a test catches them.
enum Mutation: String, CaseIterable, ExpressibleByArgument {
    case none
    /// A scan beeps before it is on disk. The kill test must find scans that beeped and are gone.
    case beepBeforeCommit
    /// Receipts reach the journal many scans late. The kill test must find too many repeats.
    case receiptsLate
}
