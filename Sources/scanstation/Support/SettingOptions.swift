import ArgumentParser
import Settings
import StationConfiguration

/// Settings on the command line of `run`. They have precedence over the configuration and over what the console changed.
struct SettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Replay these pictures: a folder, a file or a glob.", valueName: "path"))
    var scene: [String] = []
    @Option(help: ArgumentHelp("The control socket.", valueName: "path")) var socket: String?
    @Option(help: ArgumentHelp("The least important level that is logged, on standard error.", valueName: "level"))
    var logLevel: LogSettings.Level?

    /// The keys that are given here.
    var keys: Set<String> {
        var keys: Set<String> = []
        if socket != nil { keys.insert("control.socket") }
        if logLevel != nil { keys.insert("log.level") }
        if !scene.isEmpty { keys.formUnion(["capture.source", "capture.replay.paths"]) }
        return keys
    }

    func apply(to loaded: inout LoadedConfiguration) {
        if let socket { loaded.settings.control.socket = socket }
        if let logLevel { loaded.settings.log.level = logLevel }
        if !scene.isEmpty {
            loaded.settings.capture.source = Self.replay(scene, as: loaded.settings.capture.source)
        }
        for key in keys { loaded.overrule(key) }
    }

    /// These pictures; the configuration says how they are shown.
    static func replay(_ scene: [String], as configured: CaptureSettings.Source) -> CaptureSettings.Source {
        var replay = if case .replay(let settings) = configured { settings } else { ReplaySettings() }
        replay.paths = scene
        return .replay(replay)
    }
}

extension LogSettings.Level: ExpressibleByArgument {}
