import Wire

/// What a running station says about the settings that the console changed; of one that doesn't run, the file itself.
struct OverlayCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        let told = context.station?["settings"]?["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return (told + context.overlayNotes.filter { !told.contains($0) }).map { note in
            DoctorFinding(
                .warn, "console", note,
                remedy: "look at the settings on the console's page; change there what should be different")
        }
    }
}
