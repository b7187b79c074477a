/// The settings that a console may change while the station runs, by key: what aims and lights the camera, and how scans are triggered.
///
/// None of them names or chooses a line, a program, a path, a credential, an allow-list or a host, weakens the confirmation, hides anything
/// from the log, or ends the station (`capture.hangLimit`). A key that isn't here is refused.
package enum ConsoleKeys {
    package static let all: Set<String> = [
        "capture.frameRate", "capture.idle", "capture.idleFrameRate", "capture.orientation.rotation",
        "capture.orientation.mirrored", "capture.viewport", "capture.exposure.time", "capture.exposure.maxTime",
        "capture.exposure.gain", "capture.exposure.metering", "capture.exposure.flicker", "capture.focus.mode",
        "capture.focus.range", "capture.focus.speed", "capture.focus.lensPosition", "capture.focus.followsViewport",
        "capture.focus.retryAfterFrames", "capture.zoom", "capture.sharpness", "capture.noiseReduction", "torch.mode",
        "torch.autoLux", "torch.autoLuma", "trigger.mode", "trigger.timeout", "trigger.sameSymbolTimeout",
        "trigger.repeatInterval", "trigger.gap", "trigger.maxScans", "trigger.releaseGrace", "trigger.pulseCancels",
        "trigger.reportsNoRead",
    ]
}
