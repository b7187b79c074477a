/// Whether an output writes whole events or what a template makes of a scan.
package enum LineFormat: String, CaseIterable, Hashable, Sendable {
    /// NDJSON events of the wire format.
    case json
    /// `FormatSettings`, scans only.
    case template
}
