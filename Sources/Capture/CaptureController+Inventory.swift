import Vocabulary

extension CaptureController {
    /// All cameras of the system this controller uses, the held one included. Blocks this actor for up to a second where
    /// cameras have to be acquired to be described.
    package func inventory() -> CameraInventoryReport {
        var report = CameraInventoryReport()
        // Asking would start libcamera again, and nobody would stop it.
        guard !isShutDown else { return report }
        report.permissionProblem = CameraNodes.scan().permissionProblem
        do throws(CameraFailure) { report.cameras = try system.describe() } catch { report.problem = error }
        // The one we hold couldn't be acquired a second time; its device describes it.
        if let device {
            let index = report.cameras.firstIndex { $0.id == device.identity.id }
            var held = index.map { report.cameras[$0] } ?? CameraDescription(identity: device.identity)
            held.problem = nil
            do throws(CameraFailure) { try device.describe(into: &held) } catch { held.problem = error.description }
            if let index { report.cameras[index] = held } else { report.cameras.append(held) }
            report.problem = nil
        }
        return report
    }

    /// Notices from now on, for one reader; the newest 256 wait for a slow one, which is told what it `missed`.
    package func notices() -> AsyncStream<CaptureNotice> {
        let queue = NoticeQueue()
        let token = observe { [weak queue] in queue?.add($0) }
        queue.onDrop { [weak self] in
            Task { await self?.cancel(token) }
        }
        return AsyncStream(unfolding: { await queue.next() }, onCancel: { [weak queue] in queue?.finish() })
    }
}

extension CameraSystem {
    /// The cameras that can be described without holding one; none, unless the system says otherwise.
    package func describe() throws(CameraFailure) -> [CameraDescription] { [] }
}

extension CameraDevice {
    /// Nothing to tell: pictures aren't unplugged.
    package func listen(_ receiver: any CameraReceiver) {}

    package func describe(into description: inout CameraDescription) throws(CameraFailure) {}
}

extension CameraDescription {
    /// A camera of which no more is known.
    init(identity: CameraIdentity) {
        self.init(id: identity.id, model: identity.model, location: "", rotation: 0)
    }
}
