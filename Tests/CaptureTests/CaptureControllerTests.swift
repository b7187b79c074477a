import Capture
import Settings
import Testing
import Vocabulary

@Suite(.timeLimit(.minutes(10))) struct CaptureControllerTests {
    /// A controller over a scripted camera and a clock that stands still.
    struct Bench {
        let clock = TestClock()
        let system: FakeCameraSystem
        let sink = CollectingSink()
        let notices = Recorder<CaptureNotice>()
        let log = Recorder<CaptureLogLine>()
        let controller: CaptureController

        init(_ settings: CaptureSettings = CaptureSettings(), machineBytes: Int = 1_000_000_000) async {
            system = FakeCameraSystem(clock: clock)
            controller = CaptureController(
                settings: settings, sink: sink, system: system, clock: clock, machineBytes: machineBytes,
                log: { [log] in log.add($0) })
            _ = await controller.observe { [notices] in notices.add($0) }
        }

        /// Started, with the first frame delivered.
        static func running(_ settings: CaptureSettings = CaptureSettings()) async throws -> Bench {
            let bench = await Bench(settings)
            await bench.controller.start()
            try #require(bench.system.device).deliver(0)
            await bench.notices.wait(for: .cameraIsReady)
            return bench
        }
    }

    @Test func `loads, starts, delivers and stops`() async throws {
        let bench = await Bench()
        await bench.controller.load()
        #expect(await bench.controller.state == .available)
        await bench.controller.start()
        #expect(await bench.controller.state == .running)
        let device = try #require(bench.system.device)
        device.deliver(7)
        device.deliver(8)
        await bench.notices.wait(for: .cameraIsReady)
        await bench.controller.stop()
        #expect(bench.system.trace.values == ["open first", "configure 1280x720", "start", "stop"])
        #expect(bench.sink.frames.values.map(\.info.sequence) == [0, 1])
        #expect(bench.sink.frames.values[0].pixels == [1, 2, 3, 4])
        #expect(
            bench.notices.values == [
                .state(.available), .runStarted(1), .state(.running), .cameraIsReady, .runEnded(1, .stopped),
                .state(.available),
            ])
        await bench.controller.shutdown()
        #expect(await bench.controller.state == .notLoaded)
        #expect(bench.system.trace.values.suffix(2) == ["close", "shutdown"])
    }

    @Test func `sequences go on over restarts and show what the camera dropped`() async throws {
        let bench = try await Bench.running()
        let device = try #require(bench.system.device)
        device.deliver(1)
        device.deliver(4)
        await bench.controller.stop()
        await bench.controller.start()
        device.deliver(0)
        #expect(bench.sink.frames.values.map(\.info.sequence) == [0, 1, 4, 5])
        let report = await bench.controller.report()
        #expect(report.framesDelivered == 4)
        #expect(report.framesDropped == 2)
        #expect(report.runs == 2)
    }

    @Test func `each state is reported once, in order, to the end`() async {
        let bench = await Bench()
        await bench.controller.load()
        await bench.controller.start()
        await bench.controller.suspend()
        await bench.controller.shutdown()
        let states = bench.notices.values.compactMap { if case .state(let state) = $0 { state } else { nil } }
        #expect(states == [.available, .running, .suspended, .notLoaded])
    }

    @Test func `a busy camera is tried again until it is free`() async {
        let bench = await Bench()
        bench.system.failOpening(.inUse(detail: "held by rpicam-vid"), .inUse(detail: "held by rpicam-vid"))
        await bench.controller.start()
        #expect(await bench.controller.state == .inUse)
        bench.clock.advance(by: .milliseconds(250))
        // The second failure has been handled once the third attempt is scheduled; moving the clock earlier would move that, too.
        await bench.clock.waits.wait(for: bench.clock.now.advanced(by: .milliseconds(500)))
        bench.clock.advance(by: .milliseconds(500))
        await bench.notices.wait(for: .state(.running))
        #expect(bench.notices.values == [.state(.inUse), .state(.available), .runStarted(1), .state(.running)])
    }

    @Test func `missing permission says which group to join`() async {
        let bench = await Bench()
        bench.system.failOpening(.permissionDenied(detail: "add the user to the group \"video\""))
        await bench.controller.load()
        #expect(await bench.controller.state == .permissionDenied)
    }

    @Test func `a camera that falls silent is restarted and the interruption ends with a frame`() async throws {
        let bench = try await Bench.running()
        bench.clock.advance(by: .seconds(2))
        let failure = CameraFailure.unavailable(.stoppedDelivering(lastFrameAgo: .seconds(2)))
        await bench.notices.wait(for: .interrupted(failure))
        bench.clock.advance(by: .milliseconds(250))
        await bench.notices.wait(for: .runStarted(2))
        #expect(!bench.notices.values.contains(.interruptionEnded))
        try #require(bench.system.device).deliver(0)
        await bench.notices.wait(for: .interruptionEnded)
        #expect(await bench.controller.state == .running)
        #expect(await bench.controller.report().restarts == 1)
        #expect(bench.system.trace.values.suffix(2) == ["stop", "start"])
    }

    @Test func `an unplugged camera comes back when it is plugged in`() async throws {
        let bench = try await Bench.running()
        bench.system.failOpening(.unavailable(.notFound(wanted: nil, found: [])))
        try #require(bench.system.device).send(.disconnected)
        await bench.notices.wait(for: .state(.unavailable(.disconnected)))
        bench.clock.advance(by: .milliseconds(250))
        await bench.notices.wait(for: .state(.unavailable(.notFound(wanted: nil, found: []))))
        bench.system.announce("imx708")
        await bench.notices.wait(for: .runStarted(2))
        try #require(bench.system.device).deliver(0)
        await bench.notices.wait(for: .interruptionEnded)
    }

    @Test func `a fault of the device interrupts the run`() async throws {
        let bench = try await Bench.running()
        try #require(bench.system.device).send(.fault("the camera cancelled its requests"))
        let failure = CameraFailure.unavailable(.streamFailed(detail: "the camera cancelled its requests"))
        await bench.notices.wait(for: .interrupted(failure))
    }

    @Test func `a warning is passed on and the run goes on`() async throws {
        let bench = try await Bench.running()
        try #require(bench.system.device).send(.warning("a.jpg is damaged"))
        await bench.notices.wait(for: .fault("a.jpg is damaged"))
        #expect(await bench.controller.state == .running)
    }

    @Test func `what a stopped run left behind is not mistaken for the next one's`() async throws {
        let bench = try await Bench.running()
        let device = try #require(bench.system.device)
        await bench.controller.stop()
        device.send(.fault("late"))
        await bench.controller.start()
        device.deliver(0)
        await bench.notices.wait { $0.count { $0 == .cameraIsReady } == 2 }
        #expect(await bench.controller.state == .running)
    }

    @Test func `photo on a small machine is refused with figures before the camera is opened`() async throws {
        var settings = CaptureSettings()
        settings.preset = .photo
        let bench = await Bench(settings, machineBytes: 426_000_000)
        await bench.controller.start()
        guard case .unavailable(.memoryBudget(let needed, let budget, let detail)) = await bench.controller.state else {
            Issue.record("\(await bench.controller.state)")
            return
        }
        #expect(needed > budget && detail.contains("MB"))
        #expect(bench.system.trace.values == [])
    }

    @Test func `what the camera grants is checked against the budget too, and the camera is released`() async {
        let bench = await Bench()
        let size = FrameSize(width: 1280, height: 720)
        bench.system.grant(
            GrantedSettings(
                resolution: size, format: "YUV420", rowStride: 1280, frameRate: 30,
                memory: MemoryBudget.Camera(size: size, buffers: 32, bytesPerBuffer: 20_000_000)))
        await bench.controller.load()
        #expect(await bench.controller.state.name == "unavailable")
        #expect(bench.system.trace.values == ["open first", "configure 1280x720", "close"])
    }

    @Test func `viewport, exposure, focus, rate and zoom change without ending the run`() async throws {
        var settings = CaptureSettings()
        settings.orientation = Orientation(rotation: .clockwise90)
        let bench = try await Bench.running(settings)
        let device = try #require(bench.system.device)
        await bench.controller.setViewport(Viewport(rect: Rect(x: 0, y: 0, width: 0.5, height: 1)))
        await bench.controller.setZoom(2)
        await bench.controller.setFrameRate(10)
        await bench.controller.triggerAutofocus()
        var exposure = ExposureSettings()
        exposure.time = .milliseconds(2)
        await bench.controller.setExposure(exposure)
        let controls = device.controls.values
        // Turned clockwise by 90°, the upright left half is the delivered lower half.
        #expect(controls[1].focusWindow == Rect(x: 0, y: 0.5, width: 1, height: 0.5))
        #expect(controls[2].zoom == 2)
        #expect(controls[3].frameRate == 10)
        #expect(controls[4].triggersFocus)
        #expect(controls[5].exposure == .fixed(.milliseconds(2)))
        #expect(bench.system.trace.values == ["open first", "configure 1280x720", "start"])
    }

    @Test func `a zoom is taken back, by a reread configuration and for the next run`() async throws {
        var settings = CaptureSettings()
        settings.zoom = 2
        settings.sharpness = 3
        let bench = try await Bench.running(settings)
        let device = try #require(bench.system.device)
        #expect(device.controls.values[0].zoom == 2)
        await bench.controller.update(CaptureSettings())
        #expect(device.controls.values.last?.zoom == 1)
        #expect(device.controls.values.last?.sharpness == 1)
        await bench.controller.setZoom(2)
        await bench.controller.stop()
        await bench.controller.setZoom(1)
        await bench.controller.start()
        #expect(device.controls.values.last?.zoom == 1)
    }

    @Test func `a run starts with an autofocus, also when the trigger came before the camera`() async throws {
        let bench = await Bench()
        await bench.controller.triggerAutofocus()
        await bench.controller.start()
        #expect(try #require(bench.system.device).controls.values[0].triggersFocus)
    }

    @Test func `a reread configuration leaves a capped shutter alone`() async throws {
        let bench = try await Bench.running()
        let device = try #require(bench.system.device)
        for sequence in 1...2 as ClosedRange<UInt64> { device.deliver(sequence, exposure: 20_000, gain: 1) }
        await device.controls.wait(count: 2)
        var settings = CaptureSettings()
        settings.sharpness = 2
        await bench.controller.update(settings)
        #expect(device.controls.values.last?.exposure == .fixed(.milliseconds(5)))
        #expect(device.controls.values.last?.triggersFocus == false)
    }

    @Test func `the end of a run is reported before a device that may never stop is touched`() async throws {
        let bench = try await Bench.running()
        let trace = bench.system.trace
        _ = await bench.controller.observe { notice in
            switch notice {
            case .runEnded: trace.add("run ended")
            case .state(let state): trace.add(state.name)
            default: break
            }
        }
        try #require(bench.system.device).send(.fault("cable"))
        await trace.wait(for: "stop")
        #expect(trace.values.suffix(3) == ["run ended", "unavailable", "stop"])
    }

    @Test func `a run that somebody starts after a failed one was given up isn't a restart`() async throws {
        let bench = try await Bench.running()
        try #require(bench.system.device).send(.fault("x"))
        await bench.system.trace.wait(for: "stop")
        await bench.controller.stop()
        await bench.controller.start()
        #expect(await bench.controller.report().runs == 2)
        #expect(await bench.controller.report().restarts == 0)
    }

    @Test func `the camera is ready again once a frame shows the new viewport`() async throws {
        let bench = try await Bench.running()
        let device = try #require(bench.system.device)
        device.deliver(1)
        bench.clock.advance(by: .milliseconds(10))
        await bench.controller.setViewport(Viewport(rect: Rect(x: 0, y: 0, width: 0.5, height: 0.5)))
        #expect(bench.notices.values.count { $0 == .cameraIsReady } == 1)
        device.deliver(2)
        await bench.notices.wait { $0.count { $0 == .cameraIsReady } == 2 }
    }

    @Test func `a shutter above the cap is fixed at the cap`() async throws {
        let bench = try await Bench.running()
        let device = try #require(bench.system.device)
        device.deliver(1, exposure: 20_000, gain: 1)
        device.deliver(2, exposure: 20_000, gain: 1)
        let controls = await device.controls.wait(count: 2)
        #expect(controls[1].exposure == .fixed(.milliseconds(5)))
        #expect(await bench.controller.report().isShutterCapped)
    }

    @Test func `a focus at a point goes back to its mode by itself`() async throws {
        var settings = CaptureSettings()
        // Another test covers the watchdog: here it must not bite between two steps of the clock.
        settings.frameTimeout = .seconds(3600)
        let bench = try await Bench.running(settings)
        let device = try #require(bench.system.device)
        await bench.controller.focus(at: Point(x: 0.5, y: 0.5))
        #expect(device.controls.values.last?.triggersFocus == true)
        bench.clock.advance(by: .seconds(11))
        let controls = await device.controls.wait(count: 3)
        #expect(controls[2].focusWindow == .unit)
        #expect(controls[2].triggersFocus == false)
    }

    @Test func `switching cameras ends one run and begins another`() async throws {
        let bench = try await Bench.running()
        await bench.controller.switchCamera(to: "ov9281")
        #expect(
            bench.system.trace.values.suffix(5) == ["stop", "close", "open ov9281", "configure 1280x720", "start"])
        #expect(bench.notices.values.contains(.runEnded(1, .reconfigured)))
        #expect(await bench.controller.report().camera?.id == "ov9281")
    }

    @Test func `pressure lowers the frame rate to the idle rate`() async throws {
        let bench = try await Bench.running()
        let device = try #require(bench.system.device)
        await bench.controller.systemPressure(.heat)
        #expect(device.controls.values.last?.frameRate == 5)
        #expect(await bench.controller.state == .systemPressure(.heat))
        await bench.controller.systemPressure(nil)
        #expect(device.controls.values.last?.frameRate == 30)
        #expect(await bench.controller.state == .running)
    }

    @Test func `a slow frame rate gets eight intervals before the watchdog bites`() async throws {
        var settings = CaptureSettings()
        settings.frameRate = 1
        let bench = try await Bench.running(settings)
        bench.clock.advance(by: .seconds(7))
        await bench.controller.setZoom(1)
        #expect(await bench.controller.state == .running)
        bench.clock.advance(by: .seconds(1))
        let failure = CameraFailure.unavailable(.stoppedDelivering(lastFrameAgo: .seconds(8)))
        await bench.notices.wait(for: .interrupted(failure))
    }

    @Test func `rereading the settings configures the camera again only if necessary`() async throws {
        let bench = try await Bench.running()
        var settings = CaptureSettings()
        settings.sharpness = 2
        await bench.controller.update(settings)
        #expect(bench.system.trace.values.count == 3)
        #expect(bench.system.device?.controls.values.last?.sharpness == 2)
        settings.preset = .low
        await bench.controller.update(settings)
        #expect(bench.system.trace.values.suffix(2) == ["configure 640x480", "start"])
    }

    @Test func `a cancelled observer hears nothing more, even when it cancels itself`() async throws {
        let bench = await Bench()
        let heard = Recorder<CaptureNotice>()
        let controller = bench.controller
        let token = Recorder<ObserverToken>()
        token.add(
            await controller.observe { notice in
                heard.add(notice)
                controller.assumeIsolated { $0.cancel(token.values[0]) }
            })
        await controller.start()
        #expect(heard.values == [.state(.available)])
    }

    @Test func `skipped settings are listed in the report`() async {
        let bench = await Bench()
        bench.system.skip(SkippedSetting(setting: "capture.focus.range", reason: "not offered by fake"))
        await bench.controller.start()
        #expect(await bench.controller.report().skipped.map(\.setting) == ["capture.focus.range"])
    }
}
