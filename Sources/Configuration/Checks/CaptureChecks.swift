import Settings
import Vocabulary

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
        section(of: .replay),
        section(of: .rpicam),
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

    /// A source's section is named as the source is, and does nothing with another one.
    private static func section(of kind: CaptureSettings.SourceKind) -> SettingsCheck {
        SettingsCheck { settings, findings in
            let (section, source) = ("capture.\(kind.rawValue)", settings.capture.sourceKind)
            guard findings.has(section), source != kind else { return }
            findings.add(
                .warning, "\(section) has no effect: capture.source is \(source.rawValue), not \(kind.rawValue)",
                atPath: section)
        }
    }
}
