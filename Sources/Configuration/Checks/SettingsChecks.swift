import Settings

/// What no single key can know: whether the settings fit together.
///
/// A check looks at the settings and reports against key paths; `Findings` knows where those stand in the file, if there is
/// one. An error means that the station couldn't do what was asked; a warning, that it will, but hardly as meant.
struct SettingsCheck: Sendable {
    let run: @Sendable (StationSettings, inout Findings) -> Void

    init(_ run: @escaping @Sendable (StationSettings, inout Findings) -> Void) { self.run = run }
}

enum SettingsChecks {
    static let all: [SettingsCheck] = lines + capture + sessions + reading + outputs + host

    static func check(_ settings: StationSettings, _ findings: inout Findings, places: FilePlaces) {
        for check in all { check.run(settings, &findings) }
        checkFiles(settings, &findings, places: places)
    }
}
