import Foundation
import Settings
import StationConfiguration

/// The output lines of the running station, recorded beside its control socket. After a crash `lines off` drives these, whatever the
/// configuration file says by then. The record is deleted once they are safe.
struct LineRecord {
    /// YAML, as `--config` takes it.
    let path: String

    init(controlSocket: String) { path = controlSocket + ".lines" }

    /// Replaces an earlier one.
    func write(_ settings: StationSettings) throws {
        var lines = StationSettings()
        lines.torch = settings.torch
        lines.indicators = settings.indicators
        lines.buzzer = settings.buzzer
        lines.relay = settings.relay
        try StationConfiguration.show(lines).write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// `nil`: there is none, or it can't be read.
    func read() -> StationSettings? { try? StationConfiguration.load(path: path).settings }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
