// The fields that a scan's JSON and templates have in common, each with its one name. `Wire` has their values, in
// `EventField+Values.swift`.

/// A field that tells when and where an event was.
package enum StampField: String, CaseIterable, Sendable {
    case time, station
}

/// A field of the scan itself.
package enum ScanField: String, CaseIterable, Sendable {
    case id, seq, session, journal, trigger
}

/// A field of the code that was read.
package enum SymbolField: String, CaseIterable, Sendable {
    case text, bytes, aim, symbology, addOn

    /// Its name in templates.
    package var templateName: String { rawValue.lowercased() }
}
