import ScanCore

extension SettingsChecks {
    static let capture: [SettingsCheck] = [
        SettingsCheck { settings, findings in
            let capture = settings.capture
            guard capture.retryFirst > capture.retryMax else { return }
            let (first, longest) = (DurationText.text(capture.retryFirst), DurationText.text(capture.retryMax))
            findings.add(
                .error, "capture.retryFirst (\(first)) is longer than capture.retryMax (\(longest))",
                atPath: "capture.retryFirst")
        },
        SettingsCheck { settings, findings in
            guard findings.has("capture.replay"), settings.capture.sourceKind != .replay else { return }
            findings.add(
                .warning,
                "capture.replay has no effect: capture.source is \(settings.capture.sourceKind.rawValue), not replay",
                atPath: "capture.replay")
        },
        SettingsCheck { settings, findings in
            guard findings.has("capture.rpicam"), settings.capture.sourceKind != .rpicam else { return }
            findings.add(
                .warning,
                "capture.rpicam has no effect: capture.source is \(settings.capture.sourceKind.rawValue), not rpicam",
                atPath: "capture.rpicam")
        },
        SettingsCheck { settings, findings in
            guard findings.has("capture.camera"), settings.capture.sourceKind == .replay else { return }
            findings.add(
                .warning, "capture.camera has no effect: capture.source is replay", atPath: "capture.camera")
        },
        SettingsCheck { settings, findings in
            let capture = settings.capture
            let time = capture.exposure.time ?? capture.exposure.maxTime
            let key = capture.exposure.time == nil ? "maxTime" : "time"
            guard time > .seconds(1 / capture.effectiveFrameRate) else { return }
            findings.add(
                .warning,
                """
                capture.exposure.\(key) (\(DurationText.text(time))) is longer than a frame at \
                \(NumberText.text(capture.effectiveFrameRate)) frames a second, which slows the camera down
                """, atPath: "capture.exposure.\(key)")
        },
        SettingsCheck { settings, findings in
            guard findings.has("capture.focus.lensPosition"), settings.capture.focus.mode != .manual else { return }
            findings.add(
                .warning,
                "capture.focus.lensPosition has no effect: capture.focus.mode is "
                    + "\(settings.capture.focus.mode.rawValue), not manual",
                atPath: "capture.focus.lensPosition")
        },
    ]
}
