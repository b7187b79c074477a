import Capture
import Peripherals
import Reading

/// The parts that may be slow, each with its own worker, so that the scan loop waits for none of them.
struct PartWorkers: Sendable {
    let camera: OrderedWorker<CaptureController>
    let torch: OrderedWorker<Torch>
    let reader: OrderedWorker<Reader>

    init(_ parts: StationParts) {
        camera = OrderedWorker(parts.capture)
        torch = OrderedWorker(parts.torch)
        reader = OrderedWorker(parts.reader)
    }

    /// How many jobs they all refused.
    var dropped: UInt64 { camera.dropped + torch.dropped + reader.dropped }
}
