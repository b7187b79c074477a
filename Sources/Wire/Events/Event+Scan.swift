extension Event {
    /// A scan's place in the journal; `nil` for any other event.
    package var scanSequence: UInt64? {
        if case .scan(let body) = body { body.scan.sequence } else { nil }
    }

    /// A scan's id; `nil` for any other event.
    package var scanID: String? {
        if case .scan(let body) = body { body.scan.id } else { nil }
    }
}
