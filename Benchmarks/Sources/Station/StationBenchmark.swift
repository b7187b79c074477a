import Foundation

/// Measures the whole station as a user runs it: `scanstation run` in a separate process, with figures read from its socket and from /proc.
/// The limits are the project's own; each figure is printed with its ratio to the limit.
struct StationBenchmark {
    /// Folder of the executables; default: this one's.
    var executables = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    var scene = ""
    /// Frames of the memory run.
    var frames = 100_000
    /// Seconds of the latency and idle runs.
    var seconds = 30

    /// - Returns: 0; 1 if a figure misses its goal; 2 if one couldn't be measured and no other misses its goal.
    func run() async -> Int32 {
        let report = FigureReport()
        var isMeasured = true
        // A figure that can't be measured doesn't hide the others.
        func part(_ name: String, _ measure: () async throws -> Void) async {
            do { try await measure() } catch {
                print("NOT MEASURED  \(name): \(error)")
                isMeasured = false
            }
        }
        await part("start") { try start(report) }
        await part("latency") { try latency(report) }
        await part("trigger edge") { try await triggerEdge(report) }
        await part("trigger command") { try triggerCommand(report) }
        await part("unchanging scene") { try idle(report) }
        await part("memory") { try memory(report) }
        return ExitStatus.of(isGood: report.isGood, isMeasured: isMeasured)
    }

    /// From the start of the process to a running camera.
    private func start(_ report: FigureReport) throws {
        var times: [Double] = []
        for _ in 0..<10 {
            let started = Clock.now
            let station = try StationProcess(folder: executables, configuration: configuration(replay: ""))
            try station.waitForEvent { $0["part"] as? String == "camera" && $0["state"] as? String == "running" }
            times.append(Clock.now - started)
            station.stop()
        }
        report.add("start to camera running, median of 10", times.median, "s", limit: 0.5)
    }

    /// From a frame's delivery to its scan on the socket, less the time in the decoders: without a disk, and with the journal on disk,
    /// where a flushed commit comes in between. The cost of such a commit alone, at the same pace, is added to the limit.
    private func latency(_ report: FigureReport) throws {
        let inMemory = try latencies(storage: "memory")
        let name = "frame delivered to line, beyond decoding, median of"
        report.add("\(name) \(inMemory.count), journal in memory", inMemory.median, "ms", limit: 2)
        report.add("the same, p99", inMemory.quantile(0.99), "ms", limit: 5)
        let onDisk = try latencies(storage: "disk")
        let commits = try bareCommits(60)
        print("a bare SQLite commit at that pace: median \(commits.median) ms, p99 \(commits.quantile(0.99)) ms")
        report.add(
            "\(name) \(onDisk.count), journal on disk", onDisk.median, "ms", limit: 2 + commits.median)
        report.add("the same, p99", onDisk.quantile(0.99), "ms", limit: 5 + commits.quantile(0.99))
        let withLadder = try latencies(storage: "memory", effort: "normal")
        report.add(
            "frame delivered to line with the ladder, beyond its pass, p99 of \(withLadder.count)",
            withLadder.quantile(0.99), "ms", limit: 2 * TriggerEdgeBenchmark.limit)
    }

    /// - Parameter effort: a ladder pass looks at a frame that may be a frame interval old, which isn't the station's fault:
    ///   its own part is measured without.
    private func latencies(storage: String, effort: String = "eco") throws -> [Double] {
        let station = try StationProcess(
            folder: executables,
            configuration: configuration(replay: "framesPerPicture: 3", trigger: "{sameSymbolTimeout: 0s}")
                + "\njournal: {storage: \(storage)}\nreading: {effort: \(effort)}\n")
        defer { station.stop() }
        station.drainOutput()
        let client = try SocketClient(path: station.socket)
        var overheads: [Double] = []
        let end = Clock.now + Double(seconds)
        while Clock.now < end, let (event, arrived) = try client.next(until: end) {
            guard event["type"] as? String == "scan", let frame = event["frame"] as? [String: Any],
                let delivered = frame["deliveredMs"] as? Double, let decode = event["decodeMs"] as? Double
            else { continue }
            overheads.append(arrived * 1000 - delivered - decode)
        }
        guard overheads.count >= 100 else { throw BenchmarkFailure("only \(overheads.count) scans in \(seconds) s") }
        return overheads
    }

    /// Milliseconds of each one-row commit, with a tenth of a second in between: an idle disk takes longer than a busy one.
    private func bareCommits(_ count: Int) throws -> [Double] {
        let scratch = try ScratchFolder("bare-commits")
        defer { scratch.remove() }
        let journal = try BareJournal(path: scratch.path + "/bare.db")
        var maker = ScanMaker()
        return try (0..<count).map { _ in
            let row = BareJournal.Row(maker.next())
            Thread.sleep(forTimeInterval: 0.1)
            let began = Clock.now
            try journal.insert(row)
            return (Clock.now - began) * 1000
        }
    }

    /// From the button's edge, debouncing included.
    private func triggerEdge(_ report: FigureReport) async throws {
        let times = try await TriggerEdgeBenchmark(picture: try firstPicture()).measure()
        let limit = TriggerEdgeBenchmark.limit
        report.add("trigger edge to scan, beyond one decode, median", times.toScan.median, "ms", limit: limit)
        report.add("the same, longest of \(times.toScan.count)", times.toScan.max() ?? 0, "ms", limit: limit)
        report.add("trigger edge to good light, beyond one decode, median", times.toLight.median, "ms", limit: limit)
        report.add("the same, longest of \(times.toLight.count)", times.toLight.max() ?? 0, "ms", limit: limit)
    }

    /// From a `trigger` command to its scan's line, with a code in view and the camera running: with the way there and back through the
    /// socket, and without a button.
    private func triggerCommand(_ report: FigureReport) throws {
        let picture = try firstPicture()
        let station = try StationProcess(
            folder: executables, configuration: configuration(paths: [picture], replay: "", trigger: "{mode: host}"))
        defer { station.stop() }
        let client = try SocketClient(path: station.socket)
        try station.waitForEvent { $0["part"] as? String == "camera" && $0["state"] as? String == "running" }
        var times: [Double] = []
        for index in 0..<60 {
            // Triggers at changing phases of the frame interval.
            Thread.sleep(forTimeInterval: 0.1 + Double(index % 11) * 0.003)
            let pressed = Clock.now
            try client.send(#"{"command":"trigger"}"#)
            while let (event, arrived) = try client.next(until: pressed + 5) {
                guard event["type"] as? String == "scan" else { continue }
                times.append((arrived - pressed) * 1000 - (event["decodeMs"] as? Double ?? 0))
                break
            }
        }
        guard times.count == 60 else { throw BenchmarkFailure("only \(times.count) of 60 triggers were answered") }
        report.add("trigger command to result, beyond one decode, median", times.median, "ms", limit: 2000 / 30)
        report.add("the same, longest of 60", times.max() ?? 0, "ms", limit: 2000 / 30)
    }

    /// A scene that doesn't change: processor time and memory.
    private func idle(_ report: FigureReport) throws {
        let picture = try firstPicture()
        let station = try StationProcess(
            folder: executables, configuration: configuration(paths: [picture], replay: ""))
        defer { station.stop() }
        try station.waitForEvent { $0["type"] as? String == "scan" }
        Thread.sleep(forTimeInterval: 2)
        let before = station.processorSeconds
        let began = Clock.now
        Thread.sleep(forTimeInterval: Double(seconds) / 2)
        let share = (station.processorSeconds - before) / (Clock.now - began) * 100
        report.add("unchanging scene, all processes", share, "% of a core", limit: 5)
        report.add("station, PSS", Double(station.memory.pss) / 1e6, "MB", limit: 45)
        for (index, reader) in station.readers.enumerated() {
            report.add(
                "reader \(index + 1), PSS beyond the ring", Double(reader.memory.pss - reader.memory.shared) / 1e6,
                "MB",
                limit: 15)
        }
    }

    /// Growth over many frames, as fast as they go.
    private func memory(_ report: FigureReport) throws {
        let station = try StationProcess(
            folder: executables,
            configuration: configuration(
                replay: "unpaced: on, framesPerPicture: 2", trigger: "{sameSymbolTimeout: 0s}"))
        defer { station.stop() }
        station.drainOutput()
        let client = try SocketClient(path: station.socket)
        let early = try memoryAfter(frames / 10, of: station, client)
        let late = try memoryAfter(frames, of: station, client)
        report.add(
            "growth from \(frames / 10) to \(frames) unpaced frames, all processes", Double(late - early) / 1e6, "MB",
            limit: 1)
    }

    /// The median of samples over some seconds: what a reader holds goes up and down by megabytes with the picture it has before it.
    private func memoryAfter(_ frames: Int, of station: StationProcess, _ client: SocketClient) throws -> Int {
        let deadline = Clock.now + 900
        while try framesDelivered(client) < frames {
            guard Clock.now < deadline else {
                throw BenchmarkFailure("\(frames) frames weren't delivered within 900 s")
            }
            try client.drain(for: 0.5)
        }
        let samples = try (0..<Self.memorySamples).map { _ in
            try client.drain(for: 0.1)
            return Double(([station.memory] + station.readers.map(\.memory)).map(\.privateBytes).reduce(0, +))
        }
        return Int(samples.median)
    }

    private static let memorySamples = 50

    private func framesDelivered(_ client: SocketClient) throws -> Int {
        let readers = try client.ask("status")["readers"] as? [String: Any]
        return readers?["framesDelivered"] as? Int ?? 0
    }

    private func firstPicture() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: scene).sorted()
        guard let name = names.first(where: { $0.hasSuffix(".png") }) else {
            throw BenchmarkFailure("no picture in \(scene): name the scene's folder with --scene")
        }
        return scene + "/" + name
    }

    private func configuration(paths: [String] = [], replay: String, trigger: String = "{}") -> String {
        let pictures = (paths.isEmpty ? [scene] : paths).map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            capture: {source: replay, replay: {paths: [\(pictures)]\(replay.isEmpty ? "" : ", " + replay)}}
            trigger: \(trigger)
            outputs: [{stdout: {}}]
            """
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
