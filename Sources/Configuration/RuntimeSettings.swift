import Settings
import Vocabulary
import Yams

/// The settings that may change while the station runs: by `scanstation ctl set KEY VALUE`, or when the configuration is read again, which
/// may change more of them.
package enum RuntimeSettings {
    /// Parts of the configuration, by key, where something may change when it is read again.
    package static let sections: [String] = StationSchema.station.keys.filter(\.canChange).map(\.name)

    /// The running settings, with everything that may change taken from a configuration that was read again.
    /// - Returns: `waiting`: the keys that still differ; they take effect at the next start.
    package static func reload(
        _ new: StationSettings, into running: StationSettings
    ) -> (settings: StationSettings, waiting: [String]) {
        let station = StationSchema.station
        var settings = running
        station.takeOver(new, into: &settings)
        return (settings, station.keys.filter { !$0.isSame(settings, new) }.map(\.restartName))
    }

    /// Key paths as in the file (`capture.exposure.gain`), with what they take, sorted.
    package static let keys: [RuntimeKey] = StationSchema.station.outline(StationSettings())
        .flatMap { $0.runtimeKeys() }.sorted { $0.path < $1.path }

    /// The same keys with what a form needs: what each takes, its value in `settings`, and its default.
    package static func forms(_ settings: StationSettings) -> [SettingForm] {
        let defaults = StationSchema.station.outline(StationSettings())
        return StationSchema.station.outline(settings).flatMap { key in
            key.forms(standard: defaults.first { $0.name == key.name })
        }
    }

    /// Longest value taken.
    static let maxValueBytes = 1024

    /// The settings with some keys changed, by key. Values are written as in the file (`5ms`, `auto`, `centre 50% 30%`,
    /// `{x: 0.1, …}`) and checked by the same rules; the rules between keys are checked once all values are in place.
    package static func apply(
        _ values: [String: String], to settings: StationSettings
    ) throws(RuntimeSettingError) -> StationSettings {
        var changed = settings
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            changed = try read(key: key, value: value, into: changed)
        }
        var findings = Findings(file: nil)
        SettingsChecks.check(changed, &findings, places: .asWritten)
        if let error = findings.sorted(.error).first {
            let names = values.keys.sorted().joined(separator: ", ")
            throw RuntimeSettingError(
                message: "\(names) \(values.count == 1 ? "wasn't" : "weren't") changed: \(error.message)")
        }
        return changed
    }

    /// The running settings with these keys as they are in `old`, even where they weren't set.
    package static func restore(
        _ keys: some Sequence<String>, from old: StationSettings, into running: StationSettings
    ) -> StationSettings {
        var settings = running
        for key in keys { StationSchema.station.copy(key.split(separator: ".")[...], from: old, into: &settings) }
        return settings
    }

    /// The values of all keys that may change, by path, as the file has them; without those that aren't set.
    package static func values(of settings: StationSettings) -> [String: String] {
        var values: [String: String] = [:]
        for form in forms(settings) { values[form.path] = form.value }
        return values
    }

    /// The same for one.
    package static func apply(
        key: String, value: String, to settings: StationSettings
    ) throws(RuntimeSettingError) -> StationSettings { try apply([key: value], to: settings) }

    private static func read(
        key: String, value: String, into settings: StationSettings
    ) throws(RuntimeSettingError) -> StationSettings {
        guard keys.contains(where: { $0.path == key }) else { throw unknown(key) }
        guard value.utf8.count <= maxValueBytes else {
            throw RuntimeSettingError(message: "\(key) wasn't changed: the value is longer than \(maxValueBytes) bytes")
        }
        // The value is parsed as a document of its own, then put where the key path says, as if the file had only this key.
        var findings = Findings(file: nil)
        var node = YAMLDocument(value, &findings).root ?? Node.scalar(.init("", .implicit, .plain))
        for name in key.split(separator: ".").reversed() { node = Node([(Node(String(name)), node)]) }
        var changed = settings
        if findings.problems.isEmpty { StationSchema.station.read(node, "", into: &changed, isNew: true, &findings) }
        if let error = findings.sorted(.error).first {
            throw RuntimeSettingError(message: "\(key) wasn't changed: \(error.message)")
        }
        return changed
    }

    private static func unknown(_ key: String) -> RuntimeSettingError {
        let paths = keys.map(\.path)
        let lastWords = paths.filter { $0.hasSuffix("." + key) }
        let meant = lastWords.first ?? Spelling.nearest(to: key, among: paths)
        let hint = meant.map { ", did you mean \"\($0)\"?" } ?? "."
        return RuntimeSettingError(
            message: """
                \(key.quoted) can't be set while the station runs\(hint) `scanstation ctl set --list` shows what can
                """)
    }
}

/// A key that may change while the station runs.
package struct RuntimeKey: Hashable, Sendable {
    /// As in the file: `capture.exposure.gain`.
    package var path: String
    /// What it takes: `a number from 1 to 64, or auto`.
    package var takes: String
}

/// Why a setting wasn't changed.
package struct RuntimeSettingError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String

    package var description: String { message }
}
