import Glibc
import Linux
import Vocabulary

/// Runs the program and passes on its frames, on its own thread. The pipe is always emptied at once, whatever becomes of a frame, so that
/// no queue builds up in the program.
final class RpicamPump {
    private enum Outcome {
        case stopped
        /// Other settings.
        case outdated
        case failed(CameraFailure, RpicamTalk)
    }

    /// How long a clean end, which releases the camera, may take before the program is killed.
    private static let endPatience: Duration = .seconds(1)
    /// If the numbers of records and frames differ by more, the frames don't have the requested size.
    private static let largestOffset = 3
    /// A program that has written no record about this many frames never will.
    private static let framesWithoutRecord = 3
    private static let pipeBytes = 1 << 20

    private let device: RpicamDevice
    private let receiver: any CameraReceiver
    private let beginning: RpicamBeginning
    private var pace = RpicamPace()

    init(device: RpicamDevice, receiver: any CameraReceiver, beginning: RpicamBeginning) {
        self.device = device
        self.receiver = receiver
        self.beginning = beginning
    }

    func run() {
        while !device.isStopping {
            switch runProgram(device.plan()) {
            case .stopped: return
            case .outdated: continue
            case .failed(let failure, let talk):
                if let option = talk.unknownOption, device.leaveOut(option) { continue }
                if !beginning.decide(failure), !device.isStopping { receiver.event(.fault(failure.faultText)) }
                return
            }
        }
    }

    private func runProgram(_ plan: RpicamDevice.Plan) -> Outcome {
        let run: RpicamRun
        do throws(CameraFailure) { run = try RpicamRun(plan) } catch { return .failed(error, RpicamTalk()) }
        pace.begin(cameraRate: plan.arguments.frameRate)
        run.frames.setPipeSize(Self.pipeBytes)
        let frameBytes = plan.size.width * plan.size.height * 3 / 2
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: frameBytes, alignment: 64)
        defer { buffer.deallocate() }
        var filled = 0
        var begunAt = Instant.zero
        var number = 0
        while true {
            if device.isStopping || device.isOutdated {
                run.program.end(with: SIGINT, patience: Self.endPatience)
                plan.waker.clear()
                return device.isStopping ? .stopped : .outdated
            }
            run.wait(plan.waker)
            run.drainTalk()
            let count = run.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            guard count >= 0 else { continue }
            guard count > 0 else { return ended(run, filled: filled, of: frameBytes, plan) }
            if filled == 0 { begunAt = Instant.now }
            filled += count
            guard filled == frameBytes else { continue }
            filled = 0
            let record = run.record(of: number, patience: device.patience.record)
            number += 1
            if run.hasRecords, run.metadata.count == 0, number == Self.framesWithoutRecord {
                run.expectNoRecords()
                receiver.event(
                    .warning(
                        "\(plan.program) reports no timestamps: frames count as exposed \(RpicamPace.intervalsOnTheWay) "
                            + "frame intervals before they come"))
            }
            if run.hasRecords, run.metadata.count > 0, isMismatch(run.metadata.count - number, frameBytes) {
                run.program.end(with: SIGINT, patience: Self.endPatience)
                return .failed(mismatch(plan), run.talk)
            }
            deliver(buffer, plan, record, begunAt: begunAt, isBehind: run.hasMore)
        }
    }

    private func deliver(
        _ buffer: UnsafeMutableRawBufferPointer, _ plan: RpicamDevice.Plan, _ record: RpicamMetadata.Record?,
        begunAt: Instant, isBehind: Bool
    ) {
        guard let base = buffer.baseAddress else { return }
        let now = Instant.now
        let stamp = record?.sensorTimestamp.map {
            SensorClock.instant(of: $0, now: now, monotonicNow: MonotonicClock.nanoseconds)
        }
        beginning.decide(nil)
        guard
            let place = pace.frame(
                stamp: stamp, begunAt: begunAt, now: now, isBehind: isBehind, frameRate: device.frameRate)
        else { return }
        let info = FrameInfo(
            sequence: place.sequence, exposedAt: place.exposedAt, deliveredAt: now, lux: record?.lux)
        receiver.frame(
            LumaFrame(base: UnsafeRawPointer(base), size: plan.size, rowStride: plan.size.width, info: info))
    }

    private func ended(_ run: RpicamRun, filled: Int, of frameBytes: Int, _ plan: RpicamDevice.Plan) -> Outcome {
        run.program.end(with: SIGINT, patience: Self.endPatience)
        run.drainTalk()
        if device.isStopping { return .stopped }
        let place = filled > 0 ? " in the middle of a frame (\(filled) of \(frameBytes) bytes)" : ""
        return .failed(
            run.talk.failure("\(plan.program) ended\(place)", camera: device.identity.id), run.talk)
    }

    /// If frames are ahead of their records, there are too many frames; if records are ahead, their frames may still be in the pipe.
    private func isMismatch(_ recordsAhead: Int, _ frameBytes: Int) -> Bool {
        !(-Self.largestOffset...Self.largestOffset + Self.pipeBytes / frameBytes).contains(recordsAhead)
    }

    private func mismatch(_ plan: RpicamDevice.Plan) -> CameraFailure {
        .unavailable(
            .configurationRejected(
                detail:
                    "\(plan.program) writes frames of another size than the \(plan.size) that were asked for: choose "
                    + "another capture.resolution"))
    }
}

extension CameraFailure {
    /// As the text of a fault; the device derives its kind from the words.
    fileprivate var faultText: String {
        switch self {
        case .unavailable(.cannotBeAcquired(let detail)), .unavailable(.configurationRejected(let detail)): detail
        default: description
        }
    }
}
