import Decoding
import Foundation
import ReaderProtocol
import Reading
import Settings

/// What the cheap passes cost on frames of 1280x720, relative to ZXing's defaults on the same frame in the same run. Each contestant runs
/// in a separate process, because ZXing 1.4 aborts on some frames.
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

    /// - Returns: 0; 1 if a cheap turn exceeds its goal; 2 if nothing could be measured.
    func run() async -> Int32 {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scanstation-bench-\(getpid())").path
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else {
            print("can't create \(folder)")
            return 2
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do { return try await measure(in: folder) } catch {
            print("NOT MEASURED  live: \(error)")
            return 2
        }
    }

    private func measure(in folder: String) async throws -> Int32 {
        // What a station reads by default.
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        var worst = 0.0
        var measured = 0
        var worstHeld = 0.0
        for (name, picture, isTiled) in Self.pictures {
            let path = folder + "/frame.pgm"
            guard let frame = LiveFrame(name: name, path: corpus + "/" + picture, isTiled: isTiled),
                frame.write(to: path)
            else {
                print("\(name): can't make a frame of \(corpus)/\(picture)")
                continue
            }
            let quick = try (0..<engine.quickTurnCount).compactMap { try time("quick:\($0)", path) }
            guard !quick.isEmpty else {
                print("\(name): ZXing's defaults don't survive it")
                continue
            }
            let defaults = quick.map(\.defaults).median
            let ratios = quick.map { $0.own / $0.defaults }
            let thorough = try (0..<engine.thoroughTurnCount).compactMap { try time("thorough:\($0)", path) }
                .map { $0.own / $0.defaults }
            worst = max(worst, ratios.max() ?? 0)
            measured += 1
            let held = await GateTiming.measure(frame).map { $0 / defaults }
            worstHeld = max(worstHeld, held ?? 1)
            print(
                String(format: "%@: defaults %.2f ms; cheap turns of them ", name, defaults)
                    + ratios.map { String(format: "%.3f", $0) }.joined(separator: " ")
                    + String(
                        format: "; thorough turns, mean %.2f", thorough.reduce(0, +) / Double(thorough.count)
                    )
                    + (held.map { String(format: "; unchanged %.4f", $0) } ?? "; the gate never closed"))
        }
        guard measured > 0 else { return 2 }
        let blank = LiveFrame.blank
        if blank.write(to: folder + "/blank.pgm"), let defaults = try time("quick:0", folder + "/blank.pgm")?.defaults {
            let held = await GateTiming.measure(blank).map { $0 / defaults } ?? 1
            worstHeld = max(worstHeld, held)
            print(String(format: "blank: defaults %.2f ms; held back %.4f", defaults, held))
        }
        print(String(format: "dearest cheap turn: %.3f of the defaults (goal %.2f or less)", worst, Self.quickGoal))
        print(String(format: "dearest held-back frame: %.4f of them (goal %.2f or less)", worstHeld, Self.heldGoal))
        return worst <= Self.quickGoal && worstHeld <= Self.heldGoal ? 0 : 1
    }

    /// Milliseconds; `nil` after a crash.
    private func time(_ what: String, _ path: String) throws -> (own: Double, defaults: Double)? {
        try ContestantProcess.time(what, path: path, repetitions: turns)
    }
}
