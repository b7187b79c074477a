import Capture
import Testing
import Vocabulary

@Suite struct CameraMachineTests {
    typealias Action = CameraMachine.Action

    /// A machine and a clock that moves only when told.
    struct Bench {
        var machine = CameraMachine()
        var now = Instant.zero

        mutating func send(_ event: CameraMachine.Event, after wait: Duration = .zero) -> [Action] {
            now = now.advanced(by: wait)
            return machine.handle(event, at: now)
        }

        /// Loaded, started, and frames are coming.
        static func running() -> Bench {
            var bench = Bench()
            _ = bench.send(.start)
            _ = bench.send(.opened)
            _ = bench.send(.started)
            _ = bench.send(.firstFrame)
            return bench
        }
    }

    @Test func `loading opens the camera and reports it available`() {
        var bench = Bench()
        #expect(bench.machine.state == .notLoaded)
        #expect(bench.send(.load) == [.open])
        #expect(bench.send(.opened) == [.report(.available)])
    }

    @Test func `starting an unloaded camera opens and then starts it`() {
        var bench = Bench()
        #expect(bench.send(.start) == [.open])
        #expect(bench.send(.opened) == [.startDevice, .report(.available)])
        let wake = bench.now.advanced(by: .seconds(2))
        #expect(bench.send(.started) == [.runStarted(1), .report(.running), .wakeAt(wake)])
        #expect(bench.machine.run == 1)
    }

    @Test func `starting twice changes nothing`() {
        var bench = Bench.running()
        #expect(bench.send(.start) == [])
    }

    @Test func `stopping ends the run and keeps the camera open`() {
        var bench = Bench.running()
        #expect(
            bench.send(.stop) == [.runEnded(1, .stopped), .stopDevice, .report(.available), .wakeAt(nil)])
        #expect(bench.send(.start) == [.startDevice])
    }

    @Test func `a stop that comes while the camera opens leaves it available`() {
        var bench = Bench()
        _ = bench.send(.start)
        #expect(bench.send(.stop) == [])
        #expect(bench.send(.opened) == [.report(.available)])
    }

    @Test func `suspending releases the camera and resuming continues the run`() {
        var bench = Bench.running()
        #expect(
            bench.send(.suspend) == [
                .runEnded(1, .suspended), .stopDevice, .close, .report(.suspended), .wakeAt(nil),
            ])
        #expect(bench.send(.resume) == [.open])
        #expect(bench.machine.state == .suspended)
        #expect(bench.send(.opened) == [.startDevice, .report(.available)])
        _ = bench.send(.started)
        #expect(bench.machine.run == 2)
    }

    @Test func `shutdown closes everything`() {
        var bench = Bench.running()
        #expect(
            bench.send(.shutdown) == [
                .runEnded(1, .shutdown), .stopDevice, .close, .report(.notLoaded), .wakeAt(nil),
            ])
        #expect(bench.send(.cameraAdded) == [])
    }

    static let failures: [CameraFailure] = [
        .permissionDenied(detail: "no access to /dev/media0"),
        .inUse(detail: "imx708"),
        .unavailable(.notFound(wanted: "imx708", found: [])),
        .unavailable(.cannotBeAcquired(detail: "EIO")),
        .unavailable(.configurationRejected(detail: "size")),
        .unavailable(.noLumaFormat(offered: ["MJPEG"])),
        .unavailable(.disconnected),
        .unavailable(.noPlugin(libcameraVersion: "0.9", detail: "none fits")),
        .unavailable(.scene(detail: "no pictures")),
    ]

    @Test(arguments: failures)
    func `a camera that can't be opened is reported and tried again`(failure: CameraFailure) {
        var bench = Bench()
        _ = bench.send(.load)
        let retry = bench.now.advanced(by: .milliseconds(250))
        #expect(bench.send(.openFailed(failure)) == [.report(failure.state), .wakeAt(retry)])
        #expect(bench.send(.wake(lastFrame: nil), after: .milliseconds(250)) == [.open])
        #expect(bench.send(.opened) == [.report(.available)])
    }

    @Test func `waits double up to the longest`() {
        var bench = Bench()
        _ = bench.send(.load)
        var waits: [Duration] = []
        for _ in 0..<9 {
            for action in bench.send(.openFailed(.inUse(detail: "x"))) {
                if case .wakeAt(let at?) = action { waits.append(bench.now.duration(to: at)) }
            }
            _ = bench.send(.wake(lastFrame: nil), after: waits.last ?? .zero)
        }
        #expect(
            waits == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
                + Array(repeating: .seconds(15), count: 3))
    }

    @Test func `a refused memory budget isn't tried again until asked`() {
        var bench = Bench()
        _ = bench.send(.load)
        let reason = CameraUnavailableReason.memoryBudget(needed: 2, budget: 1, detail: "photo needs 2 bytes")
        #expect(bench.send(.openFailed(.unavailable(reason))) == [.report(.unavailable(reason))])
        #expect(bench.send(.cameraAdded) == [])
        #expect(bench.send(.load) == [.open, .report(.notLoaded)])
    }

    @Test func `a camera that appears is tried at once`() {
        var bench = Bench()
        _ = bench.send(.load)
        _ = bench.send(.openFailed(.unavailable(.notFound(wanted: nil, found: []))))
        #expect(bench.send(.cameraAdded, after: .milliseconds(10)) == [.open, .wakeAt(nil)])
    }

    @Test func `a start that fails closes the camera and is tried again`() {
        var bench = Bench()
        _ = bench.send(.start)
        _ = bench.send(.opened)
        let failure = CameraFailure.unavailable(.cannotBeAcquired(detail: "EIO"))
        let actions = bench.send(.startFailed(failure))
        #expect(actions == [.report(failure.state), .close, .wakeAt(bench.now.advanced(by: .milliseconds(250)))])
        #expect(bench.send(.wake(lastFrame: nil), after: .milliseconds(250)) == [.open])
        // Opening isn't recovery yet: it got that far before.
        #expect(bench.send(.opened) == [.startDevice])
        #expect(bench.send(.started).prefix(2) == [.runStarted(1), .report(.running)])
    }

    @Test func `a silent camera is stopped and started again`() {
        var bench = Bench.running()
        let failure = CameraFailure.unavailable(.stoppedDelivering(lastFrameAgo: .seconds(2)))
        let actions = bench.send(.wake(lastFrame: nil), after: .seconds(2))
        #expect(
            actions == [
                .runEnded(1, .failed(failure)), .interrupted(failure), .report(failure.state), .stopDevice,
                .wakeAt(bench.now.advanced(by: .milliseconds(250))),
            ])
        #expect(bench.send(.wake(lastFrame: nil), after: .milliseconds(250)) == [.startDevice])
        // Starting isn't recovery yet: only a frame is.
        #expect(!bench.send(.started).contains(.report(.running)))
        #expect(bench.send(.firstFrame).prefix(2) == [.interruptionEnded, .report(.running)])
    }

    @Test func `a run whose first frame went unnoticed still counts as recovered`() {
        var bench = Bench.running()
        _ = bench.send(.fault("x"))
        _ = bench.send(.wake(lastFrame: nil), after: .milliseconds(250))
        _ = bench.send(.started)
        let actions = bench.send(.wake(lastFrame: bench.now.advanced(by: .seconds(1))), after: .seconds(2))
        #expect(actions.prefix(2) == [.interruptionEnded, .report(.running)])
    }

    @Test func `a start that fails and is given up leaves the camera available`() {
        var bench = Bench()
        _ = bench.send(.start)
        _ = bench.send(.opened)
        _ = bench.send(.startFailed(.unavailable(.cannotBeAcquired(detail: "EIO"))))
        _ = bench.send(.stop)
        _ = bench.send(.wake(lastFrame: nil), after: .milliseconds(250))
        #expect(bench.send(.opened) == [.report(.available)])
    }

    @Test func `a camera that falls silent again is also closed`() {
        var bench = Bench.running()
        _ = bench.send(.wake(lastFrame: nil), after: .seconds(2))
        _ = bench.send(.wake(lastFrame: nil), after: .milliseconds(250))
        _ = bench.send(.started)
        let actions = bench.send(.wake(lastFrame: nil), after: .seconds(2))
        #expect(actions.contains(.close))
        // One interruption, however many attempts it takes.
        #expect(!actions.contains { if case .interrupted = $0 { true } else { false } })
    }

    @Test func `frames keep the watchdog quiet`() {
        var bench = Bench.running()
        for _ in 0..<20 {
            let newest = bench.now.advanced(by: .milliseconds(1900))
            let actions = bench.send(.wake(lastFrame: newest), after: .seconds(2))
            #expect(actions == [.wakeAt(newest.advanced(by: .seconds(2)))])
        }
        #expect(bench.machine.state == .running)
    }

    @Test func `a timer that fires early is set again`() {
        var bench = Bench.running()
        let due = bench.now.advanced(by: .seconds(2))
        #expect(bench.send(.wake(lastFrame: nil), after: .milliseconds(1999)) == [.wakeAt(due)])
    }

    @Test func `a stable run starts the back-off over`() {
        var bench = Bench.running()
        _ = bench.send(.fault("x"))
        _ = bench.send(.wake(lastFrame: nil), after: .milliseconds(250))
        _ = bench.send(.started)
        _ = bench.send(.firstFrame)
        for _ in 0..<11 {
            let newest = bench.now.advanced(by: .seconds(1))
            _ = bench.send(.wake(lastFrame: newest), after: .seconds(1))
        }
        let actions = bench.send(.fault("y"))
        #expect(actions.last == .wakeAt(bench.now.advanced(by: .milliseconds(250))))
        #expect(!actions.contains(.close))
    }

    @Test func `a fault interrupts the run`() {
        var bench = Bench.running()
        let failure = CameraFailure.unavailable(.streamFailed(detail: "cancelled"))
        #expect(
            bench.send(.fault("cancelled")).prefix(4) == [
                .runEnded(1, .failed(failure)), .interrupted(failure), .report(failure.state), .stopDevice,
            ])
    }

    @Test func `a disconnected camera is closed and comes back when plugged in`() {
        var bench = Bench.running()
        let failure = CameraFailure.unavailable(.disconnected)
        #expect(
            bench.send(.disconnected).prefix(5) == [
                .runEnded(1, .failed(failure)), .interrupted(failure), .report(failure.state), .stopDevice, .close,
            ])
        #expect(bench.send(.cameraAdded, after: .seconds(1)).first == .open)
        #expect(bench.send(.opened) == [.startDevice])
        _ = bench.send(.started)
        #expect(bench.send(.firstFrame).first == .interruptionEnded)
    }

    @Test func `stopping during recovery gives up the run, not the camera`() {
        var bench = Bench.running()
        _ = bench.send(.disconnected)
        #expect(bench.send(.stop) == [])
        #expect(bench.send(.wake(lastFrame: nil), after: .milliseconds(250)).first == .open)
        #expect(bench.send(.opened) == [.report(.available)])
    }

    @Test func `a scene that ends leaves the camera available`() {
        var bench = Bench.running()
        #expect(
            bench.send(.sceneEnded) == [.runEnded(1, .sceneEnded), .stopDevice, .report(.available), .wakeAt(nil)])
    }

    @Test func `another camera ends the run and begins one`() {
        var bench = Bench.running()
        #expect(
            bench.send(.reconfigure) == [
                .runEnded(1, .reconfigured), .stopDevice, .close, .open, .report(.notLoaded), .wakeAt(nil),
            ])
        #expect(bench.send(.opened) == [.startDevice, .report(.available)])
    }

    @Test(arguments: [SystemPressure.heat, .underVoltage, .memory])
    func `pressure lowers the frame rate first and stops when it lasts`(kind: SystemPressure) {
        var bench = Bench.running()
        #expect(bench.send(.pressure(kind)) == [.reduceFrameRate(true), .report(.systemPressure(kind))])
        #expect(bench.machine.run == 1)
        for _ in 0..<29 {
            _ = bench.send(.wake(lastFrame: bench.now.advanced(by: .seconds(1))), after: .seconds(1))
        }
        #expect(bench.machine.run == 1)
        let actions = bench.send(.wake(lastFrame: bench.now), after: .seconds(1))
        #expect(actions == [.runEnded(1, .systemPressure(kind)), .stopDevice])
        #expect(bench.send(.pressure(nil)) == [.reduceFrameRate(false), .startDevice, .report(.available)])
    }

    @Test func `pressure that passes restores the frame rate`() {
        var bench = Bench.running()
        _ = bench.send(.pressure(.heat))
        #expect(bench.send(.pressure(nil)) == [.reduceFrameRate(false), .report(.running)])
        #expect(bench.machine.run == 1)
    }

    @Test func `a camera that never recovers is reported once and keeps being tried`() {
        var bench = Bench()
        _ = bench.send(.load)
        var exhausted = 0
        for _ in 0..<20 {
            let actions = bench.send(.openFailed(.unavailable(.cannotBeAcquired(detail: "EIO"))))
            exhausted += actions.count { if case .recoveryExhausted = $0 { true } else { false } }
            #expect(bench.send(.wake(lastFrame: nil), after: .seconds(15)).first == .open)
        }
        #expect(exhausted == 1)
    }

    @Test func `answers without a question are ignored`() {
        var bench = Bench()
        for event: CameraMachine.Event in [
            .opened, .started, .firstFrame, .fault("x"), .disconnected, .sceneEnded, .startFailed(.inUse(detail: "")),
            .openFailed(.inUse(detail: "")), .wake(lastFrame: nil),
        ] {
            #expect(bench.send(event) == [])
        }
    }

    @Test func `a longer frame time-out applies to the current run`() {
        var bench = Bench.running()
        let actions = bench.send(.frameTimeout(.seconds(80)))
        #expect(actions == [.wakeAt(bench.now.advanced(by: .seconds(80)))])
        #expect(!bench.send(.wake(lastFrame: nil), after: .seconds(79)).contains(.stopDevice))
    }
}
