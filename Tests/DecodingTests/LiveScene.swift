import Foundation
import ReaderProtocol
import Reading
import ScanCore
import Settings
import Vocabulary

@testable import Capture
@testable import Decoding

/// The demo scene in front of a station, in this process: as in the station, the replay's frames go through change gate, reader machine,
/// decode engine and scan machine, but in simulated time.
struct LiveScene {
    /// A picture that was shown, and the scans that it gave.
    struct Appearance {
        var picture: String
        var scans: [String] = []
    }

    static let folder: String = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/Sources/Capture/Scene"
    }()
    static let size = FrameSize(width: 1280, height: 720)

    /// The names of the pictures in `folder`, sorted.
    static let pictures: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".png") }.sorted()
    }()

    /// The codes of each picture by `truth.json`, as "symbology text", sorted.
    static func truth() throws -> [String: [String]] {
        struct Code: Decodable {
            var symbology: String
            var text: String
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/truth.json"))
        return try JSONDecoder().decode([String: [Code]].self, from: data)
            .mapValues { $0.map { "\($0.symbology) \($0.text)" }.sorted() }
    }

    /// Where the pictures are.
    var folder = LiveScene.folder
    var trigger = TriggerSettings()
    var framesPerSecond = 30
    var framesPerPicture = 30
    var reading = ReadingSettings()

    /// Shows `pictures` (names in `folder`) one after the other, each for `framesPerPicture`; in triggered modes, each gets a session.
    func show(_ pictures: [String]) throws -> [Appearance] {
        var replay = ReplaySettings(paths: pictures.map { "\(folder)/\($0)" })
        replay.framesPerPicture = framesPerPicture
        replay.loops = false
        var player = ScenePlayer(files: replay.paths.map { FileName($0) }, settings: replay, size: Self.size)
        try player.prepare { _ in }
        var run = Run(self)
        return try run.show(&player)
    }

    private struct Run {
        let interval: Duration
        let isTriggered: Bool
        let engine: DecodeEngine
        var reader: ReaderMachine
        var station: ScanMachine
        var signature = FrameSignature()
        var now = Instant(nanoseconds: 1_000_000_000)
        var appearances: [Appearance] = []

        init(_ scene: LiveScene) {
            interval = .nanoseconds(1_000_000_000 / scene.framesPerSecond)
            isTriggered = scene.trigger.mode.isTriggered
            engine = DecodeEngine(rules: DecodeRules(scene.reading))
            // Without the ladder: only what the turns read by themselves.
            var limits = ReaderMachine.Limits()
            limits.climbs = false
            reader = ReaderMachine(limits: limits)
            station = ScanMachine(
                trigger: scene.trigger, symbologies: scene.reading.symbologies, limits: .alternatingTurns)
        }

        mutating func show(_ player: inout ScenePlayer) throws -> [Appearance] {
            perform(reader.handle(.start, at: now))
            perform(reader.handle(.ringReplaced(slotCount: ReaderMachine.slotCount(workers: 1)), at: now))
            perform(station.handle(.start, at: now))
            var sequence: UInt64 = 0
            while let frame = try player.next(warn: { _ in }) {
                if appearances.last?.picture != frame.label {
                    appearances.append(Appearance(picture: frame.label))
                    if isTriggered {
                        // The previous session may still be open.
                        perform(station.handle(.release, at: now))
                        perform(station.handle(.trigger, at: now))
                    }
                }
                sequence += 1
                deliver(frame, sequence)
                now = now.advanced(by: interval)
            }
            return appearances
        }

        private mutating func deliver(_ frame: ScenePlayer.Frame, _ sequence: UInt64) {
            guard let slot = reader.slotForWriting() else { return }
            let view = FrameView(frame: frame.size, viewport: .full, margin: 0, orientation: .upright)
            signature.begin(frame.size)
            frame.pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress else { return }
                for y in stride(from: 0, to: frame.size.height, by: signature.rowStep) {
                    let row = base + y * frame.size.width
                    signature.add(
                        row: row, above: y > 0 ? row - signature.rowStep * frame.size.width : nil, y: y)
                }
            }
            signature.end()
            let info = FrameInfo(sequence: sequence, exposedAt: now, deliveredAt: now, label: frame.label)
            perform(reader.handle(.frame(slot: slot, info, view, signature), at: now), frame)
        }

        private mutating func perform(_ actions: [ReaderMachine.Action], _ frame: ScenePlayer.Frame? = nil) {
            for action in actions {
                switch action {
                case .startWorker(let id): perform(reader.handle(.workerReady(id), at: now))
                case .read(let id, _, _, _, let effort):
                    guard let frame else { continue }
                    let symbols = frame.pixels.withUnsafeBytes { bytes in
                        bytes.baseAddress.map {
                            engine.read(
                                LumaView(base: $0, size: frame.size, rowStride: frame.size.width), effort: effort)
                        } ?? []
                    }
                    let summary = ReaderAnswer.Summary(
                        symbolCount: symbols.count, omittedCount: 0, decodeNanoseconds: 1_000_000, places: engine.places
                    )
                    perform(reader.handle(.answered(id, symbols, summary), at: now))
                case .deliver(let result): perform(station.handle(.read(result), at: now))
                case .killWorker, .setAside: break
                }
            }
        }

        private mutating func perform(_ actions: [ScanMachine.Action]) {
            for action in actions {
                switch action {
                case .accept(let sighting):
                    let scan = "\(sighting.symbol.symbology.rawValue) \(sighting.symbol.text ?? "-")"
                    appearances[appearances.count - 1].scans.append(scan)
                case .reading(let isOn, let effort):
                    reader.gate.effort = effort
                    perform(reader.handle(.paused(!isOn), at: now))
                case .pending(let isPending): reader.gate.isPending = isPending
                default: break
                }
            }
        }
    }
}
