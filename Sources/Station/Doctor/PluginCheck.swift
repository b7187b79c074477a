import Capture

/// Does a plugin fit the installed libcamera?
struct PluginCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        switch context.settings.capture.source {
        case .automatic, .libcamera: break
        case .rpicam, .replay: return []
        }
        let plugins = PluginLocator()
        let found = plugins.survey()
        let hasProgram = RpicamSystem.isInstalled()
        return [Self.finding(found, libcamera: plugins.installedLibcamera(), hasProgram: hasProgram)]
    }

    /// - Parameter hasProgram: `rpicam-vid` steps in.
    static func finding(_ plugins: [PluginFinding], libcamera: String?, hasProgram: Bool) -> DoctorFinding {
        if let plugin = plugins.first(where: { $0.libcamera != nil }) {
            return DoctorFinding(.ok, "libcamera", "\(plugin.libcamera ?? "") through \(plugin.path)")
        }
        guard let libcamera else {
            return DoctorFinding(
                hasProgram ? .warn : .fail, "libcamera", "it isn't installed",
                remedy:
                    "sudo apt install --install-recommends scanstation, or the libcamera0.… that `apt list 'libcamera0*'` shows"
            )
        }
        return DoctorFinding(
            hasProgram ? .warn : .fail, "libcamera",
            "no plugin fits the installed \(libcamera)"
                + (hasProgram ? "; pictures come through rpicam-vid, later and with fewer settings" : ""),
            remedy:
                "sudo apt install g++ libcamera-dev; sudo scanstation camera build; sudo systemctl restart scanstation"
        )
    }
}
