import Capture
import Wire

/// What libcamera itself sees, or what the running station says of its camera.
struct CamerasCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        if let camera = context.station?["camera"] {
            let state = camera["state"]?.stringValue ?? "?"
            let model = camera["model"]?.stringValue.map { " (\($0))" } ?? ""
            let picture = [camera["resolution"], camera["format"]].compactMap { $0?.stringValue }
            let gives = picture.isEmpty ? "" : ", \(picture.joined(separator: " "))"
            let isGood = ["running", "available", "suspended"].contains(state)
            return [
                DoctorFinding(
                    isGood ? .ok : .fail, "camera", "the running station says: \(state)\(gives)\(model)",
                    remedy: camera["detail"]?.stringValue)
            ]
        }
        if case .replay = context.settings.capture.source { return [] }
        let inventory = CameraInventory.list(source: context.settings.capture.source)
        if let problem = inventory.problem, inventory.cameras.isEmpty {
            return [DoctorFinding(.fail, "camera", "there is none: \(problem)")]
        }
        return inventory.cameras.map { DoctorFinding(.ok, "camera", "\($0.id) (\($0.model))") }
    }
}
