extension SettingsChecks {
    /// The host's answers, and who may give them.
    static let host: [SettingsCheck] = [
        SettingsCheck { settings, findings in
            guard settings.host.relayOnAccept, settings.relay == nil else { return }
            findings.add(
                .warning, "host.relayOnAccept has no effect: there is no relay, so an accepted scan opens nothing",
                atPath: "host.relayOnAccept")
        },
        SettingsCheck { settings, findings in
            guard settings.host.allowList != nil, !settings.host.expectsAnswer else { return }
            findings.add(
                .warning,
                """
                host.allowList has no effect: host.expectsAnswer is off, so no scan waits for an answer that the list \
                could stand in for
                """, atPath: "host.allowList")
        },
        SettingsCheck { settings, findings in
            warn(of: settings.control.mode, "control.mode", &findings)
            if settings.console.isEnabled, settings.console.door, settings.relay == nil {
                findings.add(
                    .warning, "console.door has no effect on a relay: there is none", atPath: "console.door")
            }
            for (index, output) in settings.outputs.enumerated() {
                guard case .unixSocket(let unix) = output.kind else { continue }
                warn(of: unix.mode, "outputs[\(index)].unix.mode", &findings)
            }
        },
    ]

    /// Connecting takes the right to write: unix(7).
    private static func warn(of mode: UInt32, _ path: String, _ findings: inout Findings) {
        guard mode & 0o002 != 0 else { return }
        findings.add(
            .warning,
            """
            \(path) is \(Codec<UInt32>.fileMode.write(mode)): every user of this machine can see the scans and send \
            commands, even those that move the relay
            """, atPath: path)
    }
}
