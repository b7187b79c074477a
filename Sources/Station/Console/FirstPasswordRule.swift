import Settings
import Vocabulary

/// Where the first password may be set by button and code: not where more than a picture depends on the console, or would once somebody takes
/// it over.
package enum FirstPasswordRule {
    /// Why not, and what to do instead; `nil`: it may.
    /// - Parameter isSimulated: lines that exist in memory: a relay among them opens nothing.
    package static func bar(_ settings: StationSettings, isSimulated: Bool) -> String? {
        reason(settings, isSimulated).map {
            "\($0), so the first password isn't set by the button: use `scanstation console password` on the station's machine"
        }
    }

    private static func reason(_ settings: StationSettings, _ isSimulated: Bool) -> String? {
        // The built-in scene never shows what a phone shows. Somebody's own pictures may show anything, even the code.
        if case .replay(let scene) = settings.capture.source, scene.paths.isEmpty {
            return "the camera is simulated and sees no phone (capture.source)"
        }
        if settings.trigger.button == nil { return "no trigger button is wired (trigger.button)" }
        if settings.relay != nil, !isSimulated { return "the station has a relay (relay.line)" }
        if settings.host.allowList != nil { return "the station has an allow-list (host.allowList)" }
        if settings.host.expectsAnswer { return "the station waits for a host's answers (host.expectsAnswer)" }
        if settings.reading.symbologies[.qrCode] == nil { return "QR codes aren't read (reading.symbologies)" }
        return nil
    }
}
