import Foundation

/// A thousand damaged pictures as the scene of a station, a good one after each hundred: the station must stay up, and every
/// good picture must be read.
struct RobustnessBenchmark {
    var executables = StationBenchmark().executables
    var corpus = "../shared/corpus"
    /// A picture with one code that a station reads at once.
    var good = "Sources/Capture/Scene/01-ean13.png"
    /// A picture without a code.
    var empty = "Sources/Capture/Scene/05-empty.png"
    var copies = 1000
    /// Damaged pictures between two good ones.
    static let stretch = 100
    /// Frames that each picture is shown for. A damaged one is read in so many turns; which ones changes from picture to picture.
    static let framesPerPicture = 3
    /// A good picture is shown so many times in a row: long enough for a turn that reads it, even when frames are dropped.
    static let goodCopies = 6
    /// An empty picture comes before it, for so many times: the code of the good one before must have gone from view (it takes
    /// a round of turns without it), though all damaged pictures between the two may be beyond decoding and never shown.
    static let emptyCopies = 10

    func run() -> Int32 {
        let folder = NSTemporaryDirectory() + "scanstation-damaged-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            return try measure(in: folder) ? 0 : 1
        } catch {
            print("robustness: \(error)")
            return 1
        }
    }

    private func measure(in folder: String) throws -> Bool {
        let damaged = try DamagedPictures(corpus: corpus, copies: copies, in: folder)
        // Names of empty and good pictures sort behind each stretch of damaged ones.
        var stretches: [String] = []
        for number in stride(from: Self.stretch - 1, to: damaged.count + Self.stretch - 1, by: Self.stretch) {
            let last = String(format: "%05d", min(number, damaged.count - 1))
            for copy in 0..<Self.emptyCopies {
                try? FileManager.default.copyItem(atPath: empty, toPath: "\(folder)/\(last)-empty-\(copy).png")
            }
            let stretch = last + "-good"
            for copy in 0..<Self.goodCopies {
                try? FileManager.default.copyItem(atPath: good, toPath: "\(folder)/\(stretch)-\(copy).png")
            }
            stretches.append(stretch)
        }
        let configuration = """
            capture:
              source: replay
              replay: {paths: ["\(folder)"], framesPerPicture: \(Self.framesPerPicture), loops: off}
              frameRate: 60
            trigger: {sameSymbolTimeout: 0s}
            reading: {changeGate: off}
            outputs: [{stdout: {}}]
            """
        let station = try StationProcess(folder: executables, configuration: configuration)
        defer { station.stop() }
        station.drainOutput()
        let client = try SocketClient(path: station.socket)
        var seen: Set<String> = []
        let started = Clock.now
        let deadline = started + 900
        // The last picture is a good one: its scan ends the run.
        while seen.count < stretches.count, let (event, _) = try client.next(until: deadline) {
            guard event["type"] as? String == "scan", let frame = event["frame"] as? [String: Any],
                let label = frame["label"] as? String,
                let stretch = stretches.firstIndex(where: { label.hasPrefix($0) }),
                seen.insert(stretches[stretch]).inserted
            else { continue }
            let shown = min((stretch + 1) * Self.stretch, damaged.count)
            print("  \(shown) of \(damaged.count) shown, the good one after them read, \(Int(Clock.now - started)) s")
            fflush(nil)
            if stretches[stretch] == stretches.last { break }
        }
        let status = try client.ask("status")
        let readers = status["readers"] as? [String: Any] ?? [:]
        let camera = status["camera"] as? [String: Any] ?? [:]
        print(
            "\(damaged.count) damaged pictures: \(seen.count) of \(stretches.count) good ones between them were read; frames "
                + "\(camera["framesDelivered"] ?? 0), read \(readers["framesRead"] ?? 0); readers lost: crashed \(readers["crashed"] ?? 0), timed out "
                + "\(readers["timedOut"] ?? 0), restarted \(readers["workerRestarts"] ?? 0)")
        return seen.count == stretches.count
    }
}
