import Settings

/// What no single key can know: whether the settings fit together.
///
/// A check looks at the settings and reports problems by key path; `Findings` knows where the keys are in the file, if there is one. An
/// error means that the station can't do what was asked; a warning means that it will, but probably not as intended.
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
