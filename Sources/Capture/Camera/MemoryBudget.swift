import Vocabulary

/// What a capture configuration costs in memory, computed before anything is allocated: a Zero 2 W has 512 MB, and it is better to say so
/// at the start than to be killed for lack of memory in the night.
package struct MemoryBudget: Hashable, Sendable {
    /// What one camera configuration takes.
    package struct Camera: Hashable, Sendable {
        package var size: FrameSize
        package var buffers: Int
        /// Bytes of one buffer, all planes.
        package var bytesPerBuffer: Int
        /// Bytes that the pipeline keeps in addition: raw frames of the sensor, decoded pictures of a replay.
        package var pipelineBytes: Int

        package init(size: FrameSize, buffers: Int, bytesPerBuffer: Int, pipelineBytes: Int = 0) {
            self.size = size
            self.buffers = buffers
            self.bytesPerBuffer = bytesPerBuffer
            self.pipelineBytes = pipelineBytes
        }

        /// An estimate before the camera is asked: four buffers (libcamera's usual count) of YUV420 with rows aligned to 64
        /// bytes, and four packed 12-bit raw frames of at least that size.
        package static func expected(_ size: FrameSize, hasSensor: Bool = true) -> Camera {
            let stride = (max(size.width, 0) + 63) / 64 * 64
            let bytes = stride * max(size.height, 0) * 3 / 2
            return Camera(size: size, buffers: 4, bytesPerBuffer: bytes, pipelineBytes: hasSensor ? 4 * bytes : 0)
        }
    }

    /// Luma frames in the readers' shared ring.
    package var ringSlots = 6
    /// Reader processes and what each takes besides the ring (measured at 1280×720: below 15 MB).
    package var readers = 2
    package var bytesPerReader = 15_000_000
    /// The most that everything together may take.
    package var bytes: Int

    package init(bytes: Int) { self.bytes = bytes }

    /// The configured budget, or a quarter of the machine's memory.
    package static func effective(configured: Int?, machineBytes: Int) -> MemoryBudget {
        MemoryBudget(bytes: configured ?? machineBytes / 4)
    }

    package func needed(by camera: Camera) -> Int {
        camera.buffers * camera.bytesPerBuffer + camera.pipelineBytes + ringBytes(camera.size)
            + readers * bytesPerReader
    }

    /// `nil` when it fits; otherwise the reason with all figures and what to change.
    package func refusal(of camera: Camera, name: String) -> CameraUnavailableReason? {
        let needed = needed(by: camera)
        guard needed > bytes else { return nil }
        let detail =
            "\(name) (\(camera.size)) needs \(Self.megabytes(needed)): \(camera.buffers) camera buffers of "
            + "\(Self.megabytes(camera.bytesPerBuffer)), \(Self.megabytes(camera.pipelineBytes)) inside the camera's "
            + "pipeline, a ring of \(ringSlots) frames (\(Self.megabytes(ringBytes(camera.size)))), \(readers) readers of "
            + "\(Self.megabytes(bytesPerReader)); the budget is \(Self.megabytes(bytes)): choose a smaller capture.preset "
            + "or capture.resolution, or raise capture.memoryBudgetBytes"
        return .memoryBudget(needed: needed, budget: bytes, detail: detail)
    }

    /// What decoding a camera's JPEG frames of that size takes: a process, the frame in it and in the memory shared with it, and two files
    /// of one byte per pixel, which is generous.
    package static func unpacking(_ size: FrameSize) -> Int {
        MemoryBudget(bytes: 0).bytesPerReader + 4 * max(size.width, 0) * max(size.height, 0)
    }

    private func ringBytes(_ size: FrameSize) -> Int { ringSlots * max(size.width, 0) * max(size.height, 0) }

    /// Megabytes (10⁶ bytes) with one decimal.
    static func megabytes(_ bytes: Int) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}
