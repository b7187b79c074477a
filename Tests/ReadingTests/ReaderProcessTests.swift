import Glibc
import Linux
import Settings
import Testing
import Vocabulary

@testable import Reading

/// With the real executable, found beside the test runner.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderProcessTests {
    private let code: TestPicture

    init() {
        var picture = TestPicture()
        picture.addEAN13("4006381333931")
        code = picture
    }

    /// Delivers the picture and waits for its result.
    private func read(_ rig: ReaderRig, _ picture: TestPicture, _ results: inout AsyncStream<ReadResult>.Iterator) async
        -> ReadResult?
    {
        rig.deliver(picture)
        return await results.nextRead()
    }

    @Test func `a code in a frame comes out with its corners on the upright frame`() async throws {
        let rig = ReaderRig()
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        var found: Symbol?
        for _ in 0..<4 where found == nil { found = await read(rig, code, &results)?.symbols.first }
        let symbol = try #require(found)
        #expect(symbol.symbology == .ean13)
        #expect(symbol.text == "4006381333931")
        // 95 modules of 2 pixels from x = 40, in a picture of 320 × 240.
        #expect(abs(symbol.corners.bounds.x - 40.0 / 320) < 0.02)
        #expect(abs(symbol.corners.bounds.right - 230.0 / 320) < 0.02)
        #expect(symbol.corners.centre.y > 40.0 / 240 && symbol.corners.centre.y < 160.0 / 240)
        await rig.reader.stop()
    }

    @Test func `a mirrored camera's code is read, and lies where it is on the upright frame`() async throws {
        let rig = ReaderRig(orientation: Orientation(rotation: .half, isMirrored: true))
        var results = rig.reader.results.makeAsyncIterator()
        var mirrored = code
        for y in 0..<mirrored.size.height {
            for x in 0..<mirrored.size.width { mirrored[x, y] = code[code.size.width - 1 - x, y] }
        }
        try await rig.reader.start(size: mirrored.size)
        var found: Symbol?
        for _ in 0..<4 where found == nil { found = await read(rig, mirrored, &results)?.symbols.first }
        let symbol = try #require(found)
        #expect(symbol.text == "4006381333931")
        // Un-mirrored it starts at x = 40; after half a turn it ends there.
        #expect(abs(symbol.corners.bounds.right - 280.0 / 320) < 0.02)
        await rig.reader.stop()
    }

    @Test func `a code outside the viewport is not reported`() async throws {
        let rig = ReaderRig(viewport: Viewport(rect: Rect(x: 0, y: 0.75, width: 1, height: 0.25)))
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        for _ in 0..<4 {
            let result = await read(rig, code, &results)
            #expect(result?.outcome == .decoded && result?.symbols == [])
        }
        await rig.reader.stop()
    }

    @Test(arguments: ["crash-on-frame=2", "garbage-on-frame=2"])
    func `a lost process costs one frame, and the spare reads the next`(fault: String) async throws {
        let rig = ReaderRig(fault: fault)
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        var outcomes: [ReadResult.Outcome?] = []
        for _ in 0..<3 { outcomes.append(await read(rig, code, &results)?.outcome) }
        #expect(outcomes == [.decoded, .crashed, .decoded])
        let counters = await rig.reader.counters
        #expect(counters.crashed == 1 && counters.read == 2 && counters.workerRestarts >= 1)
        await rig.reader.stop()
    }

    @Test func `a process lost in the ladder costs no frame`() async throws {
        let rig = ReaderRig(fault: "crash-in-ladder")
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        #expect(await read(rig, code, &results)?.outcome == .decoded)
        let lost = await rig.notice { if case .workerLost = $0 { true } else { false } }
        #expect(lost != nil)
        #expect(await read(rig, code, &results)?.outcome == .decoded)
        #expect(await rig.reader.counters.crashed == 1)
        await rig.reader.stop()
    }

    @Test func `a process that hangs is killed at the deadline, and the spare reads the next frame`() async throws {
        let rig = ReaderRig(fault: "hang-on-frame=2")
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        #expect(await read(rig, code, &results)?.outcome == .decoded)
        // Short only for the frame that hangs; the others may take their time.
        await rig.setDeadline(.milliseconds(500))
        #expect(await read(rig, code, &results)?.outcome == .timedOut)
        await rig.setDeadline(ReaderRig.patience)
        #expect(await read(rig, code, &results)?.outcome == .decoded)
        #expect(await rig.reader.counters.timedOut == 1)
        await rig.reader.stop()
    }

    @Test(arguments: [SIGSTOP, SIGKILL])
    func `processes that somebody else stops or kills are replaced`(signal: Int32) async throws {
        let rig = ReaderRig()
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        _ = await read(rig, code, &results)
        let lost = Set(await rig.reader.processIDs)
        for pid in lost { kill(pid, signal) }
        await rig.setDeadline(.milliseconds(500))
        while !lost.isDisjoint(with: await rig.reader.processIDs) { _ = await read(rig, code, &results) }
        await rig.setDeadline(ReaderRig.patience)
        // A process lost to the short deadline isn't an error either.
        var outcome = await read(rig, code, &results)?.outcome
        while outcome == .timedOut || outcome == .crashed { outcome = await read(rig, code, &results)?.outcome }
        #expect(outcome == .decoded)
        await rig.reader.stop()
    }

    @Test(.confined) func `a process can open neither a file nor a socket`() async throws {
        let rig = ReaderRig(fault: "open-on-frame=1")
        try await rig.reader.start(size: code.size)
        rig.deliver(code)
        // open() was refused, or else it would have aborted; socket() ended it.
        let lost = await rig.notice { if case .workerLost = $0 { true } else { false } }
        guard case .workerLost(_, let loss)? = lost?.kind else { return #expect(Bool(false)) }
        #expect(loss == .crashed(signal: SIGSYS))
        await rig.reader.stop()
    }

    @Test func `processes that die at their start are tried again with back-off, and reported`() async throws {
        let rig = ReaderRig(fault: "crash-at-start")
        try await rig.reader.start(size: code.size)
        for _ in 0..<4 {
            let lost = await rig.notice { if case .workerLost = $0 { true } else { false } }
            #expect(lost?.level == .warning)
        }
        let wait = rig.pool.state.withLock { state in
            state.machine.nextDeadline.map { Instant.now.duration(to: $0) }
        }
        #expect(try #require(wait) <= ReaderMachine.Limits().maxBackOff)
        await rig.reader.stop()
        #expect(await rig.reader.processIDs == [])
    }

    @Test(arguments: [
        (
            "other-version",
            "is of version 9.9.9, this program of \(StationVersion.text): install both from the same package"
        ),
        ("other-protocol", "speaks version 5 of the reader protocol"),
    ])
    func `a reader of another version reads nothing, and the log says why`(fault: String, says: String) async throws {
        let rig = ReaderRig(fault: fault)
        try await rig.reader.start(size: code.size)
        let refused = await rig.notice { $0 == .startFailed }
        #expect(refused?.level == .error && refused?.message.contains(says) == true)
        await rig.reader.stop()
    }

    @Test func `the error names a missing executable, and says what to do`() async {
        let rig = ReaderRig(executable: "/nonexistent/scanstation-reader")
        await #expect { try await rig.reader.start(size: FrameSize(width: 64, height: 64)) } throws: { error in
            let text = "\(error)"
            return text.contains("/nonexistent/scanstation-reader") && text.contains("install")
                && text.contains("SCANSTATION_READER")
        }
    }

    @Test func `an executable that isn't a reader isn't trusted`() async throws {
        let rig = ReaderRig(executable: "/bin/true")
        try await rig.reader.start(size: code.size)
        let lost = await rig.notice { if case .workerLost = $0 { true } else { false } }
        #expect(lost != nil)
        await rig.reader.stop()
    }

    /// In a separate process, because the other tests open and close descriptors at the same time.
    @Test func `fifty lost processes leave no descriptor and no zombie behind`() async {
        await #expect(processExitsWith: .success) {
            // Descriptors that the runtime opens for itself the first time aren't the readers'.
            _ = try await Self.lose(1)
            let before = openDescriptors()
            let pids = try await Self.lose(50)
            let left = openDescriptors().subtracting(before)
            #expect(left.count < 10, "a leak would be fifty: \(left)")
            #expect(pids.count > 5)
            for pid in pids { #expect(kill(pid, 0) == -1 && errno == ESRCH, "a zombie could still be signalled") }
        }
    }

    /// Runs readers that crash on every frame until this many are lost; returns the processes that it saw.
    private static func lose(_ count: Int) async throws -> Set<Int32> {
        var pids: Set<Int32> = []
        let rig = ReaderRig(fault: "crash-on-frame=1")
        var results = rig.reader.results.makeAsyncIterator()
        var settings = ReaderRig.settings()
        settings.workers = 4
        await rig.reader.setSettings(settings)
        let picture = TestPicture()
        try await rig.reader.start(size: picture.size)
        rig.pool.state.withLock { state in
            var limits = state.machine.limits
            limits.firstBackOff = .zero
            rig.pool.perform(state.machine.handle(.settings(limits), at: Instant.now), &state)
        }
        var lost = 0
        while lost < count {
            rig.deliver(picture)
            lost += await results.nextRead()?.outcome == .crashed ? 1 : 0
            pids.formUnion(await rig.reader.processIDs)
        }
        await rig.reader.stop()
        return pids
    }

    @Test func `a stopped reader can be started again`() async throws {
        let rig = ReaderRig()
        var results = rig.reader.results.makeAsyncIterator()
        for _ in 0..<2 {
            try await rig.reader.start(size: code.size)
            #expect(await read(rig, code, &results)?.outcome == .decoded)
            await rig.reader.stop()
        }
    }

    @Test func `frames of another size are read without a restart`() async throws {
        let rig = ReaderRig()
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        #expect(await read(rig, code, &results)?.outcome == .decoded)
        var larger = TestPicture(width: 640, height: 480)
        larger.addEAN13("4006381333931", x: 300, y: 200)
        var found: Symbol?
        for _ in 0..<4 where found == nil { found = await read(rig, larger, &results)?.symbols.first }
        #expect(found?.text == "4006381333931")
        #expect(await rig.reader.counters.workerRestarts == 0)
        await rig.reader.stop()
    }

    @Test func `rules change while frames come in`() async throws {
        let rig = ReaderRig()
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        var settings = ReaderRig.settings()
        settings.symbologies = [.qrCode: SymbologySettings()]
        await rig.reader.setSettings(settings)
        for _ in 0..<4 { #expect(await read(rig, code, &results)?.symbols == []) }
        await rig.reader.setSettings(ReaderRig.settings())
        var found: Symbol?
        for _ in 0..<4 where found == nil { found = await read(rig, code, &results)?.symbols.first }
        #expect(found?.symbology == .ean13)
        await rig.reader.stop()
    }

    @Test func `an unchanging scene is held back, and still shows its code`() async throws {
        let rig = ReaderRig(settings: ReaderRig.settings(changeGate: true))
        var results = rig.reader.results.makeAsyncIterator()
        try await rig.reader.start(size: code.size)
        var result = await read(rig, code, &results)
        while result?.outcome == .decoded { result = await read(rig, code, &results) }
        #expect(result?.outcome == .unchanged)
        #expect(result?.symbols.map(\.text) == ["4006381333931"])
        await rig.reader.stop()
    }
}
