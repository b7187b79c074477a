import Reading
import Settings
import StationConfiguration
import Wire

/// The settings that were changed over the console and kept, as the station found them on disk.
///
/// Whatever the file says, a station that would start without it starts with it: what is broken is put aside, what doesn't fit is left out,
/// and both are reported.
package struct ConsoleOverlay: Sendable {
    package let file: OverlayFile
    /// Keys that the command line has: it overrides the overlay.
    package let overruled: Set<String>
    package private(set) var kept = SettingsOverlay()
    /// Why the file isn't what it should be, in a sentence; `nil`: it is, or there is none.
    package private(set) var problem: String?

    /// Reads the file.
    /// - Parameter putsAside: a broken one is moved out of the way.
    package init(_ file: OverlayFile, overruled: Set<String> = [], putsAside: Bool) {
        self.file = file
        self.overruled = overruled
        do throws(SettingsOverlayError) { kept = try file.read() ?? kept } catch {
            problem = "\(error): the console's changes are ignored; the configuration file applies"
            guard putsAside else { return }
            do throws(SettingsOverlayError) {
                try file.putAside()
                problem? += "; the broken file is now \(file.brokenPath)"
            } catch { problem? += "; \(error)" }
        }
    }

    /// The settings with what was kept over them.
    package func laid(over settings: StationSettings, decoders: DecoderInventory?) -> StationSettings {
        look(at: settings) { $0.problems(decoders: decoders) }.settings
    }

    /// What people should know about it, for settings without it.
    package func notes(over settings: StationSettings, decoders: DecoderInventory?) -> [String] {
        [problem].compactMap(\.self) + look(at: settings) { $0.problems(decoders: decoders) }.notes
    }

    /// The keys whose values are its own.
    package func keysInForce(over settings: StationSettings, decoders: DecoderInventory?) -> Set<String> {
        look(at: settings) { $0.problems(decoders: decoders) }.keys
    }

    /// - Parameter problems: what keeps a station from starting, and warnings. No key of a console makes an error with a sound file today; one that
    ///   will mustn't end in exit code 78, so the overlay gives way.
    func look(
        at settings: StationSettings, problems: (StationSettings) -> [SettingProblem]
    ) -> (settings: StationSettings, keys: Set<String>, notes: [String]) {
        var overlay = kept
        overlay.values = kept.values.filter { !overruled.contains($0.key) }
        let (laid, leftOut) = overlay.laid(over: settings, keys: ConsoleKeys.all)
        let notes = leftOut.map { "\(file.path): \($0.message)" }
        let keys = Set(overlay.values.keys).subtracting(leftOut.map(\.path))
        let isSound = !problems(settings).contains { $0.severity == .error }
        guard isSound, let error = problems(laid).first(where: { $0.severity == .error }) else {
            return (laid, keys, notes)
        }
        return (
            settings, [],
            ["\(file.path): all of it is ignored, because the station wouldn't start with it: \(error.message)"]
        )
    }
}
