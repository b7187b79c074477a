import Decoding
import Foundation
import ReaderProtocol
import Reading
import Settings

/// What the cheap passes cost on frames of 1280x720, relative to ZXing's defaults on the same frame in the same run. Each turn runs, with
/// them, in a separate process, because ZXing 1.4 aborts on some frames.
struct LiveBenchmark {
    var corpus = "../shared/corpus"
    /// Repetitions; the median counts.
    var turns = 15

    /// The goal of each cheap turn.
    static let quickGoal = 0.25
    /// The goal of a frame that is blank or doesn't change.
    static let heldGoal = 0.1

    private static let pictures = [
        ("no code, busy", "zxing/falsepositives-2/03.png", true),
        ("no code, text", "zxing/falsepositives-2/14.png", true),
        ("EAN-13", "zxing/ean13-1/3.png", false),
        ("QR code", "zxing/qrcode-2/1.png", false),
        ("Code 128", "zxing/code128-2/27.png", false),
        ("Data Matrix", "zxing/datamatrix-2/09.png", false),
    ]

    /// What the dearest came to, of all frames together.
    private struct Dearest {
        var turn: Double?
        var held: Double?
        /// Turns of ours that crashed.
        var crashes = 0
    }

    /// - Returns: 0; 1 if a cheap turn exceeds its goal, or a turn crashes; 2 if something couldn't be measured and no goal is missed.
    func run() async -> Int32 {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scanstation-bench-\(getpid())").path
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else {
            print("can't create \(folder)")
            return 2
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var dearest = Dearest()
        var isMeasured = true
        for (name, picture, isTiled) in Self.pictures {
            do {
                guard let frame = LiveFrame(name: name, path: corpus + "/" + picture, isTiled: isTiled) else {
                    throw BenchmarkFailure("can't make a frame of \(corpus)/\(picture)")
                }
                try await measure(frame, in: folder, &dearest)
            } catch {
                print("NOT MEASURED  \(name): \(error)")
                isMeasured = false
            }
        }
        do { try await measureBlank(in: folder, &dearest) } catch {
            print("NOT MEASURED  blank: \(error)")
            isMeasured = false
        }
        if let turn = dearest.turn {
            print(String(format: "dearest cheap turn: %.3f of the defaults (goal %.2f or less)", turn, Self.quickGoal))
        }
        if let held = dearest.held {
            print(String(format: "dearest held-back frame: %.4f of them (goal %.2f or less)", held, Self.heldGoal))
        }
        if dearest.crashes > 0 { print("turns that crashed: \(dearest.crashes) (goal 0)") }
        let isGood =
            (dearest.turn ?? 0) <= Self.quickGoal && (dearest.held ?? 0) <= Self.heldGoal && dearest.crashes == 0
        return ExitStatus.of(isGood: isGood, isMeasured: isMeasured && dearest.turn != nil && dearest.held != nil)
    }

    private func measure(_ frame: LiveFrame, in folder: String, _ dearest: inout Dearest) async throws {
        let path = folder + "/frame.pgm"
        guard frame.write(to: path) else { throw BenchmarkFailure("can't write \(path)") }
        // What a station reads by default.
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        let quick = try times("quick", engine.quickTurnCount, of: frame, path, &dearest)
        let thorough = try times("thorough", engine.thoroughTurnCount, of: frame, path, &dearest)
            .map { $0.own / $0.defaults }
        guard !quick.isEmpty else { return }
        let defaults = quick.map(\.defaults).median
        let ratios = quick.map { $0.own / $0.defaults }
        dearest.turn = max(dearest.turn ?? 0, ratios.max() ?? 0)
        let cheap = ratios.map { String(format: "%.3f", $0) }.joined(separator: " ")
        var line = String(format: "%@: defaults %.2f ms; cheap turns of them ", frame.name, defaults) + cheap
        if !thorough.isEmpty {
            line += String(format: "; thorough turns, mean %.2f", thorough.reduce(0, +) / Double(thorough.count))
        }
        // Even if held-back frames can't be timed.
        defer { print(line) }
        let held = try await GateTiming.measure(frame).map { $0 / defaults }
        dearest.held = max(dearest.held ?? 0, held ?? 1)
        line += Self.text("unchanged", held)
    }

    private func measureBlank(in folder: String, _ dearest: inout Dearest) async throws {
        let (blank, path) = (LiveFrame.blank, folder + "/blank.pgm")
        guard blank.write(to: path) else { throw BenchmarkFailure("can't write \(path)") }
        guard let defaults = try times("quick", 1, of: blank, path, &dearest).first?.defaults else { return }
        let held = try await GateTiming.measure(blank).map { $0 / defaults }
        dearest.held = max(dearest.held ?? 0, held ?? 1)
        print(String(format: "blank: defaults %.2f ms", defaults) + Self.text("held back", held))
    }

    private static func text(_ name: String, _ held: Double?) -> String {
        guard let held else { return "; the gate never closed" }
        return "; " + name + String(format: " %.4f", held)
    }

    /// Milliseconds of the turns from 0 that ran to their end; says which didn't, and counts ours.
    private func times(
        _ kind: String, _ count: Int, of frame: LiveFrame, _ path: String, _ dearest: inout Dearest
    ) throws -> [(own: Double, defaults: Double)] {
        var times: [(own: Double, defaults: Double)] = []
        var deaths = 0
        for turn in 0..<count {
            switch try ContestantProcess.time("\(kind):\(turn)", path: path, repetitions: turns) {
            case .took(let own, let defaults): times.append((own, defaults))
            case .crashed(isOurs: true):
                print("CRASHED  \(frame.name), \(kind) turn \(turn)")
                dearest.crashes += 1
            case .crashed(isOurs: false): deaths += 1
            }
        }
        if deaths > 0 {
            print(
                "\(frame.name), \(kind): ZXing's defaults didn't survive \(deaths) of \(count) turns, which are left out"
            )
        }
        return times
    }
}
