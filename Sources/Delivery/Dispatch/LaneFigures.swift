/// What a lane counts, beside its output's own figures.
struct LaneFigures: Hashable, Sendable {
    /// The last sequence whose receipt is in the journal; `nil` until the journal knows the output.
    var cursor: UInt64?
    /// Events that were given up: they can't be delivered, or the journal dropped them first.
    var givenUp: UInt64 = 0
    var lastError: String?
    /// Nanoseconds since 1970.
    var lastErrorAt: Int64?
}
