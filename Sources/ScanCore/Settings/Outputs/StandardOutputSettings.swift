public struct StandardOutputSettings: Hashable, Sendable {
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// NDJSON events.
        case json
        /// One line of text a scan, control characters escaped.
        case text
    }

    public var format: Format = .json
    /// Scans only, or every event.
    public var scansOnly = false

    public init() {}
}
