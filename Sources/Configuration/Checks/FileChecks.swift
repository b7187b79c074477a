import Settings

extension SettingsChecks {
    /// Two uses of one file, where one would spoil the other.
    static func checkFiles(_ settings: StationSettings, _ findings: inout Findings, places: FilePlaces) {
        let claims = FileClaims(settings, configuration: findings.file, places: places)
        for conflict in claims.conflicts { findings.add(.error, conflict.message, atPath: conflict.key) }
    }
}
