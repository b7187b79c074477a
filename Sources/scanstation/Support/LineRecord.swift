import Configuration
import Foundation
import Settings

/// The output lines of the running station, kept beside its control socket: those that `lines off` drives after a crash, whatever
/// the configuration file has become meanwhile. Gone once they are safe.
struct LineRecord {
    /// YAML, as `--config` takes it.
    let path: String

    init(controlSocket: String) { path = controlSocket + ".lines" }

    /// In the place of an earlier one.
    func write(_ settings: StationSettings) throws {
        var lines = StationSettings()
        lines.torch = settings.torch
        lines.indicators = settings.indicators
        lines.buzzer = settings.buzzer
        lines.relay = settings.relay
        try StationConfiguration.show(lines).write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// `nil`: there is none, or none that can be read.
    func read() -> StationSettings? { try? StationConfiguration.load(path: path).settings }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
