import Journal
import Settings

extension StationSettings {
    /// The settings with a line for every part that has none, wired as `hardware/README.md` wires them, so that the
    /// simulated panel has a torch, LEDs, a buzzer, a relay and both buttons to show.
    package var withSimulatedPanel: StationSettings {
        var settings = self
        settings.torch = torch ?? TorchSettings(line: LineSettings(line: "GPIO17"))
        settings.buzzer = buzzer ?? BuzzerSettings(drive: .line(LineSettings(line: "GPIO18")))
        settings.indicators.good = indicators.good ?? LineSettings(line: "GPIO22")
        settings.indicators.error = indicators.error ?? LineSettings(line: "GPIO23")
        settings.indicators.ready = indicators.ready ?? LineSettings(line: "GPIO24")
        settings.relay = relay ?? RelaySettings(line: LineSettings(line: "GPIO26"))
        settings.trigger.button = trigger.button ?? ButtonSettings(line: LineSettings(line: "GPIO27", activeLow: true))
        settings.confirmation.button =
            confirmation.button ?? ButtonSettings(line: LineSettings(line: "GPIO5", activeLow: true))
        return settings
    }

    /// The settings with the replayed scene instead of the camera. Its scans are no real goods, so they get their own journal, below the
    /// station's. People at a desk want to know why a code isn't read, even where events are printed as lines.
    package var withReplayedScene: StationSettings {
        var settings = self
        settings.reading.reportsUnread = true
        settings.journal.folder = (journal.folder ?? StateFolder.default) + "/simulated"
        if case .replay = capture.source { return settings }
        settings.capture.source = .replay(ReplaySettings())
        return settings
    }
}
