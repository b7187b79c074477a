import Foundation

/// A station's scene made of the corpus' pictures, then of nonsense and a thousand damaged copies, with a good picture after each hundred:
/// the station must stay up and read every good picture.
struct RobustnessBenchmark {
    var executables = StationBenchmark().executables
    var corpus = "../shared/corpus"
    /// A picture with one code that a station reads at once.
    var good = "Sources/Capture/Scene/01-ean13.png"
    /// A picture without a code.
    var empty = "Sources/Capture/Scene/05-empty.png"
    var copies = 1000
    /// How many frames each picture is shown for. It is read in this many turns; which turns changes from picture to picture.
    static let framesPerPicture = 3

    /// - Returns: 0; 1 if a good picture wasn't read, or the station went down; 2 if a scene couldn't be measured and nothing failed.
    func run() -> Int32 {
        let folder = NSTemporaryDirectory() + "scanstation-robustness-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scenes: [RobustnessScene]
        do { scenes = try self.scenes(in: folder) } catch {
            print("NOT MEASURED  robustness: \(error)")
            return 2
        }
        var rows: [String] = []
        var (isGood, isMeasured) = (true, true)
        for scene in scenes {
            let station: StationProcess
            do { station = try start(scene) } catch {
                print("NOT MEASURED  \(scene.name): \(error)")
                isMeasured = false
                continue
            }
            defer { station.stop() }
            do {
                let (row, holds) = try measure(scene, on: station)
                rows.append(row)
                isGood = isGood && holds
            } catch {
                print("FAILED  \(scene.name): \(error)")
                isGood = false
            }
        }
        print("for the table in Benchmarks/README.md:")
        for row in rows { print(row) }
        return ExitStatus.of(isGood: isGood, isMeasured: isMeasured)
    }

    private func scenes(in folder: String) throws -> [RobustnessScene] {
        let whole = try WholePictures(corpus: corpus, in: folder + "/whole")
        let damaged = try DamagedPictures(corpus: corpus, copies: copies, in: folder + "/damaged")
        return try [("corpus", "whole", whole.count), ("nonsense and damaged copies", "damaged", damaged.count)].map {
            try RobustnessScene(name: $0.0, folder: folder + "/" + $0.1, count: $0.2, good: good, empty: empty)
        }
    }

    private func start(_ scene: RobustnessScene) throws -> StationProcess {
        let configuration = """
            capture:
              source: replay
              replay: {paths: ["\(scene.folder)"], framesPerPicture: \(Self.framesPerPicture), loops: off}
              frameRate: 60
            trigger: {sameSymbolTimeout: 0s}
            reading: {changeGate: off}
            outputs: [{stdout: {}}]
            """
        return try StationProcess(folder: executables, configuration: configuration)
    }

    /// Returns the table's row, too. What it throws is the station's fault.
    private func measure(
        _ scene: RobustnessScene, on station: StationProcess
    ) throws -> (row: String, holds: Bool) {
        station.drainOutput()
        let client = try SocketClient(path: station.socket)
        var seen: Set<String> = []
        let started = Clock.now
        let deadline = started + 900
        // The last picture is a good one: its scan ends the run.
        while seen.count < scene.goodNames.count, let (event, _) = try client.next(until: deadline) {
            guard event["type"] as? String == "scan", let frame = event["frame"] as? [String: Any],
                let label = frame["label"] as? String,
                let stretch = scene.goodNames.firstIndex(where: { label.hasPrefix($0) }),
                seen.insert(scene.goodNames[stretch]).inserted
            else { continue }
            let shown = min((stretch + 1) * RobustnessScene.stretch, scene.count)
            say(
                "  \(scene.name): \(shown) of \(scene.count) shown, the good one after them read, "
                    + "\(Int(Clock.now - started)) s")
            if stretch == scene.goodNames.count - 1 { break }
        }
        return try row(scene, goodRead: seen.count, status: client.ask("status"))
    }

    private func row(
        _ scene: RobustnessScene, goodRead: Int, status: [String: Any]
    ) throws -> (row: String, holds: Bool) {
        guard let readers = status["readers"] as? [String: Any] else {
            throw BenchmarkFailure("the station's status says nothing of its readers")
        }
        func count(_ name: String) -> Int { readers[name] as? Int ?? 0 }
        let holds = goodRead == scene.goodNames.count
        // Each crash and each time-out costs the frame being read, and none after it.
        let lost = count("crashed") + count("timedOut")
        let row =
            "| \(scene.name), \(scene.count) pictures through a station: good ones between them read "
            + "| all \(scene.goodNames.count) | \(goodRead); frames \(count("framesDelivered")), read "
            + "\(count("framesRead")), dropped as readers were busy \(count("droppedBusy")), readers crashed "
            + "\(count("crashed")) and timed out \(count("timedOut")), worker restarts \(count("workerRestarts")), "
            + "frames lost \(lost) |"
        if !holds { print("FAILED  \(scene.name): \(scene.goodNames.count - goodRead) good pictures weren't read") }
        return (row, holds)
    }
}
