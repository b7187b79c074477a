import Vocabulary

extension SettingsChecks {
    /// Trigger and confirmation.
    static let sessions: [SettingsCheck] = [
        SettingsCheck { settings, findings in
            let trigger = settings.trigger
            switch trigger.mode {
            case .level, .pulse:
                guard trigger.button == nil else { return }
                findings.add(
                    .warning,
                    """
                    trigger.mode is \(trigger.mode.rawValue) but there is no trigger.button: \
                    only the command "trigger" will start a session
                    """, atPath: "trigger.mode")
            case .presentation, .continuous, .host:
                guard trigger.button != nil else { return }
                findings.add(
                    .warning,
                    "trigger.button has no effect: trigger.mode is \(trigger.mode.rawValue), not level or pulse",
                    atPath: "trigger.button")
            }
        },
        SettingsCheck { settings, findings in
            let trigger = settings.trigger
            guard trigger.maxScans > 1, trigger.mode == .presentation || trigger.mode == .continuous else { return }
            findings.add(
                .warning,
                "trigger.maxScans has no effect: trigger.mode is \(trigger.mode.rawValue), which reports every code",
                atPath: "trigger.maxScans")
        },
        SettingsCheck { settings, findings in
            let confirmation = settings.confirmation
            guard confirmation.policy != .never, confirmation.button == nil, !confirmation.acceptsCommand else {
                return
            }
            findings.add(
                .error,
                """
                confirmation.policy is \(confirmation.policy.rawValue), but nothing can confirm: \
                set confirmation.button, or confirmation.acceptsCommand: on
                """, atPath: "confirmation.policy")
        },
        SettingsCheck { settings, findings in
            let confirmation = settings.confirmation
            guard confirmation.policy != .never, confirmation.button == nil, confirmation.acceptsCommand else { return }
            findings.add(
                .warning,
                """
                confirmation.policy is \(confirmation.policy.rawValue) but there is no confirmation.button: a scan waits for \
                the command "confirm", and is dropped after \(DurationText.text(confirmation.timeout)) without it
                """, atPath: "confirmation.policy")
        },
        SettingsCheck { settings, findings in
            let confirmation = settings.confirmation
            guard confirmation.policy == .never, confirmation.button != nil else { return }
            findings.add(
                .warning, "confirmation.button has no effect: confirmation.policy is never",
                atPath: "confirmation.button")
        },
        SettingsCheck { settings, findings in
            let hasLamp = settings.torch?.mode == .session
            guard hasLamp, settings.trigger.mode == .presentation || settings.trigger.mode == .continuous else {
                return
            }
            findings.add(
                .warning,
                """
                torch.mode is session, but trigger.mode \(settings.trigger.mode.rawValue) is always reading: \
                the torch would stay lit until torch.maxOnTime ends it
                """, atPath: "torch.mode")
        },
    ]
}
