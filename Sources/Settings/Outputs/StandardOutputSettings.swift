package struct StandardOutputSettings: Hashable, Sendable {
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// NDJSON events.
        case json
        /// One line of text a scan, control characters escaped.
        case text
    }

    package var format: Format = .json
    /// Scans only, or every event.
    package var scansOnly = false

    package init() {}
}
