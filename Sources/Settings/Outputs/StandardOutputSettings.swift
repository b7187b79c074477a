/// Events on the standard output of the station.
package struct StandardOutputSettings: Hashable, Sendable {
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// NDJSON events.
        case json
        /// One line of text per scan, control characters escaped.
        case text
    }

    package var format: Format = .json
    /// Scans only, or every event.
    package var scansOnly = false

    package init() {}
}

extension StandardOutputSettings: OutputKind {
    package static let key = "stdout"
    package static let page = "standard-output"
    package static let receiverAdvice = "check the program that reads the station's standard output"
    package static let sample = StandardOutputSettings()
    package static let what = "Standard output."
    package static let starter = """
        - stdout:
            format: text              # json: all that is known of a scan
        """
    package static let isUsuallyRequired = false
    package var kind: OutputSettings.Kind { .standardOutput(self) }
    package var exclusive: (what: String, key: String)? { ("standard output", "") }
}
