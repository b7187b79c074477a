import Decoding
import Foundation
import ReaderProtocol
import Reading
import ScanCore
import Settings
import Vocabulary

/// Our live reading of a picture in virtual time: the station's reader machine, change gate, decoders and tracker, without its processes. Where there
/// is one core, a pass of the ladder gets it while no frame is being read.
struct VirtualStation {
    let camera: VirtualCamera
    let core: VirtualCore
    /// More than one: each reader has its own.
    let coreCount: Int
    /// A session waits all the time; otherwise it is always looking.
    let isTriggered: Bool
    /// As it was before there was a ladder.
    let isWithoutLadder: Bool
    /// Frames on which a decoder is known to crash.
    let fatalFrames: Set<Int>
    let seed: UInt64
    /// Called before a frame is decoded, with its number.
    let willRead: (Int) -> Void
    /// Called when a look at one of the picture's frames has ended.
    let didLook: (VirtualLook) -> Void

    private struct Job {
        var worker: ReaderMachine.WorkerID
        var effort: ReadEffort
        var frame: Int?
        var symbols: [Symbol]
        var places: [CodePlace] = []
        var refuted: [RefutedCode] = []
        var unread: [UnreadCode] = []
        var cost: Duration
        var end: Instant
        var isLadder: Bool
        var isLadderOver: Bool
        var isFatal: Bool
    }

    private static let interval = Duration.nanoseconds(Int64(1e9 / VirtualCamera.framesPerSecond))

    /// Runs until `frames` frames have been shown.
    func run(frames: Int, onScan: (VirtualScan) -> Void) {
        var run = Run(station: self)
        run.begin()
        run.showOther(frames: Int(seed % UInt64(ReadEffort.Kind.quick.turns)))
        let start = run.now
        run.began = start
        if isTriggered { run.machine.gate.effort = .thorough }
        for index in 0..<frames {
            run.advance(to: start.advanced(by: Self.interval * index))
            run.show(camera.frame(index), number: index)
        }
        run.advance(to: start.advanced(by: Self.interval * frames))
        for scan in run.found {
            onScan(VirtualScan(time: start.duration(to: scan.at), symbol: scan.symbol, frame: scan.frame))
        }
    }

    /// The state of one run.
    private struct Run {
        let station: VirtualStation
        /// One per reader process: each knows its own place in the ladder.
        private var engines: [ReaderMachine.WorkerID: DecodeEngine] = [:]
        var machine: ReaderMachine
        var tracker: SightingTracker
        var now = Instant(nanoseconds: 1_000_000_000)
        private var slots: [[UInt8]]
        private var numbers: [Int?]
        /// In the order in which the core works on them: reading a frame first, then the ladder.
        private var jobs: [Job] = []
        private var sequence: UInt64 = 0
        private var signature = FrameSignature()
        /// The number of each of the picture's frames, by the sequence that the station knows it by.
        private var numberOfSequence: [UInt64: Int] = [:]
        private(set) var found: [(at: Instant, symbol: Symbol, frame: Int)] = []
        /// When the picture's first frame is shown.
        var began = Instant(nanoseconds: 0)

        private var isOnOneCore: Bool { station.coreCount == 1 }

        init(station: VirtualStation) {
            self.station = station
            var settings = Contestant.settings
            settings.workers = max(1, station.coreCount - 1)
            var limits = ReaderMachine.Limits(settings)
            limits.climbs = !station.isWithoutLadder
            machine = ReaderMachine(limits: limits)
            tracker = SightingTracker(
                absence: TriggerSettings().sameSymbolTimeout, symbologies: settings.symbologies,
                limits: .alternatingTurns
            )
            let count = ReaderMachine.slotCount(workers: machine.limits.workers)
            slots = Array(repeating: [], count: count)
            numbers = Array(repeating: nil, count: count)
        }

        mutating func begin() {
            handle(.start)
            handle(.ringReplaced(slotCount: slots.count))
        }

        /// Shows something else first, so that the picture is a change, and meets the turns at a random point.
        mutating func showOther(frames: Int) {
            let pixels = (0..<ShownPicture.size.width * ShownPicture.size.height).map { index -> UInt8 in
                (index % ShownPicture.size.width / 40 + index / ShownPicture.size.width / 40) % 2 == 0 ? 90 : 150
            }
            for _ in 0...frames {
                show(pixels, number: nil)
                advance(to: now.advanced(by: VirtualStation.interval))
            }
        }

        /// - Parameter number: among the picture's frames; `nil` for other frames, which aren't decoded.
        mutating func show(_ pixels: [UInt8], number: Int?) {
            sequence += 1
            guard let slot = machine.slotForWriting() else { return }
            let view = FrameView(frame: ShownPicture.size, viewport: .full, margin: 0, orientation: .upright)
            let info = FrameInfo(sequence: sequence, exposedAt: now, deliveredAt: now)
            slots[slot] = [UInt8](repeating: 0, count: pixels.count)
            let cost = station.core.run {
                pixels.withUnsafeBytes { source in
                    slots[slot].withUnsafeMutableBufferPointer { target in
                        guard let base = source.baseAddress, let target = target.baseAddress else { return }
                        let frame = LumaFrame(
                            base: base, size: ShownPicture.size, rowStride: ShownPicture.size.width, info: info)
                        FrameCopier.copy(frame, view, to: target, signature: &signature)
                    }
                }
            }.cost
            numbers[slot] = number
            numberOfSequence[sequence] = number
            // The camera's thread goes first.
            now = now.advanced(by: cost)
            if isOnOneCore { delay(jobs.indices, by: cost) }
            handle(.frame(slot: slot, info, view, signature))
        }

        mutating func advance(to end: Instant) {
            while true {
                let next = (jobs.map(\.end) + [machine.nextDeadline].compactMap { $0 }).min()
                guard let next, next <= end else { break }
                now = max(now, next)
                if let index = jobs.firstIndex(where: { $0.end <= now }) {
                    finish(jobs.remove(at: index))
                } else {
                    handle(.tick)
                }
            }
            now = max(now, end)
        }

        private mutating func delay(_ indices: Range<Int>, by cost: Duration) {
            for index in indices { jobs[index].end = jobs[index].end.advanced(by: cost) }
        }

        private mutating func finish(_ job: Job) {
            guard !job.isFatal else { return handle(.workerEnded(job.worker, .crashed(signal: SIGABRT))) }
            if let frame = job.frame {
                station.didLook(
                    VirtualLook(
                        end: began.duration(to: now), cost: job.cost, effort: job.effort, frame: frame,
                        symbols: job.symbols))
            }
            let summary = ReaderAnswer.Summary(
                symbolCount: job.symbols.count, omittedCount: 0,
                decodeNanoseconds: UInt64(clamping: job.cost.wholeNanoseconds), isLadderOver: job.isLadderOver,
                unread: job.unread, places: job.places, refuted: job.refuted)
            handle(.answered(job.worker, job.symbols, summary))
        }

        private mutating func handle(_ event: ReaderMachine.Event) {
            for action in machine.handle(event, at: now) { perform(action) }
        }

        private mutating func perform(_ action: ReaderMachine.Action) {
            switch action {
            case .startWorker(let id): handle(.workerReady(id))
            case .killWorker(let id, let loss):
                jobs.removeAll { $0.worker == id }
                handle(.workerEnded(id, loss))
            case .read(let id, _, let slot, let view, let effort): read(id, slot, view, effort)
            case .deliver(let result): take(result)
            case .setAside: break
            }
        }

        private mutating func read(
            _ worker: ReaderMachine.WorkerID, _ slot: Int, _ view: FrameView, _ effort: ReadEffort
        ) {
            let isLadder = if case .ladder = effort { true } else { false }
            var job = Job(
                worker: worker, effort: effort, frame: numbers[slot], symbols: [], cost: .zero,
                end: now.advanced(by: VirtualCore.message),
                isLadder: isLadder,
                isLadderOver: true, isFatal: false)
            if let number = numbers[slot] {
                job.isFatal = station.fatalFrames.contains(number)
                if !job.isFatal {
                    station.willRead(number)
                    let engine = engines[worker] ?? DecodeEngine(rules: Contestant.rules)
                    engines[worker] = engine
                    let (symbols, cost) = station.core.run {
                        slots[slot].withUnsafeBytes { bytes -> [Symbol] in
                            guard let base = bytes.baseAddress else { return [] }
                            let luma = LumaView(base: base, size: view.size, rowStride: view.size.width)
                            if effort == .diagnosis { job.unread = engine.unreadCodes(of: luma, besides: []) }
                            return engine.read(luma, effort: effort)
                        }
                    }
                    job.symbols = symbols
                    job.places = engine.places
                    job.refuted = engine.refuted
                    job.cost = cost
                    job.end = job.end.advanced(by: cost)
                    job.isLadderOver = engine.isLadderOver
                }
            }
            if !isOnOneCore {
                jobs.append(job)
            } else if isLadder {
                if let other = jobs.first { job.end = job.end.advanced(by: now.duration(to: other.end)) }
                jobs.append(job)
            } else {
                delay(jobs.indices, by: job.cost)
                jobs.insert(job, at: 0)
            }
        }

        private mutating func take(_ result: ReadResult) {
            for case .appeared(let sighting) in tracker.handle(result) {
                guard let number = numberOfSequence[sighting.frame.sequence] else { continue }
                found.append((now, sighting.symbol, number))
            }
            machine.gate.isPending = tracker.hasPending
        }
    }
}
