import Wire

/// Are there camera nodes, and may this user open them? libcamera doesn't say when it may not: its list is just empty.
struct CameraNodesCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        if context.station?["camera"]?["state"]?.stringValue == "running" { return [] }
        if case .replay = context.settings.capture.source {
            return [DoctorFinding(.ok, "camera", "replays pictures (capture.source: replay); no device is needed")]
        }
        let nodes = DeviceNode.all(root: context.root, prefixes: ["media", "video"])
        guard !nodes.isEmpty else {
            return [
                DoctorFinding(
                    .fail, "camera", "no /dev/media* or /dev/video* node",
                    remedy: "check the ribbon cable (contacts towards the board's contacts), `camera_auto_detect=1` in "
                        + "/boot/firmware/config.txt, and reboot; or plug in a USB camera; without a camera: run --simulate"
                )
            ]
        }
        var findings: [DoctorFinding] = []
        for node in nodes {
            switch node.access {
            case .usable, .missing: continue
            case .denied(let group):
                findings.append(
                    DoctorFinding(
                        .fail, "camera", "\(node.path): permission denied", remedy: context.user.remedy(joining: group))
                )
            case .failed(let text): findings.append(DoctorFinding(.warn, "camera", "\(node.path): \(text)"))
            }
        }
        if findings.isEmpty {
            findings = [DoctorFinding(.ok, "camera", "\(nodes.count) camera nodes, all accessible")]
        }
        return findings
    }
}
