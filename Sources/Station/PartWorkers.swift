import Capture
import Peripherals
import Reading

/// The parts that may take their time, each with a worker of its own, so that the scan loop waits for none of them.
struct PartWorkers: Sendable {
    let camera: OrderedWorker<CaptureController>
    let torch: OrderedWorker<Torch>
    let reader: OrderedWorker<Reader>

    init(_ parts: StationParts) {
        camera = OrderedWorker(parts.capture)
        torch = OrderedWorker(parts.torch)
        reader = OrderedWorker(parts.reader)
    }

    /// What they were told in vain, all together.
    var dropped: UInt64 { camera.dropped + torch.dropped + reader.dropped }
}
