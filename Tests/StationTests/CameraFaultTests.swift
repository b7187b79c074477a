import Capture
import Control
import ControlSupport
import Foundation
import Peripherals
import Settings
import TestPeers
import Testing
import Vocabulary
import Wire

@testable import Station

/// Cameras that are missing, taken, forbidden, unplugged, silent or stuck, under a whole station: it tells everybody, and
/// reads the next code as soon as there are frames again.
@Suite("Camera faults", .timeLimit(.minutes(10)))
struct CameraFaultTests {
    private static let qr = "04-qr-url.png"

    /// Made, not started.
    private func station(
        _ camera: ScriptedCamera, _ change: (inout StationSettings) -> Void = { _ in },
        options: (inout StationOptions) -> Void = { _ in }
    ) async throws -> StationHarness {
        try await StationHarness(
            pictures: [],
            {
                $0.capture.retryFirst = .milliseconds(10)
                $0.capture.retryMax = .milliseconds(50)
                change(&$0)
            },
            options: {
                $0.cameraSystem = camera
                options(&$0)
            })
    }

    private func start(
        _ camera: ScriptedCamera, _ change: (inout StationSettings) -> Void = { _ in },
        options: (inout StationOptions) -> Void = { _ in }
    ) async throws -> StationHarness {
        let harness = try await station(camera, change, options: options)
        try await harness.station.start()
        return harness
    }

    @Test(
        "a camera that isn't available at the start is reported to observers, clients and by the error LED, and used once it is",
        arguments: [
            CameraFailure.inUse(detail: "rpicam-vid has it"), .permissionDenied(detail: "join video"),
            .unavailable(.notFound(wanted: nil, found: [])), .unavailable(.cannotBeAcquired(detail: "-EIO")),
        ])
    func notAtTheStart(failure: CameraFailure) async throws {
        let camera = ScriptedCamera(Self.qr)
        camera.failOpening(failure)
        let harness = try await station(camera)
        let changes = harness.panel.changes()
        try await harness.station.start()
        #expect(try await harness.nextState(of: "camera", failure.state.name).detail != nil)
        for await change in changes where change.role == .error && change.what == .level(true) { break }

        let client = try await ControlClient.connect(path: harness.socket)
        let lines = await client.events()
        let status = try await client.ask(.status)
        #expect(status["camera"]?["state"]?.stringValue == failure.state.name)
        #expect(status["camera"]?["detail"]?.stringValue?.isEmpty == false)

        camera.failOpening(nil)
        #expect(try await harness.nextScan().scan.symbol.symbology == .qrCode)
        // The camera's states and the reads reach the station by different ways: either may be announced first.
        var isRunning = false
        var hasScan = false
        for try await line in lines {
            let event = try JSONValue(parsing: line.utf8)
            if event["part"] == "camera" { isRunning = event["state"] == "running" }
            if event["type"] == "scan" { hasScan = true }
            if isRunning, hasScan { break }
        }
        await client.close()
        await harness.station.stop()
    }

    @Test("a camera that is unplugged in the middle of a session ends it as a no-read, and the next one reads")
    func unplugged() async throws {
        let camera = ScriptedCamera("05-empty.png")
        let harness = try await start(camera) { $0.trigger.mode = .host }
        let client = try await ControlClient.connect(path: harness.socket)
        let lines = await client.events()
        _ = try await harness.nextState(of: "camera", "running")
        #expect(await harness.station.perform(.trigger).error == nil)
        let changes = harness.panel.changes()
        camera.unplug()
        #expect(try await harness.nextNoRead().reason == .cameraLost)
        #expect(try await harness.nextState(of: "session", "ended").reason == "cameraLost")
        for await change in changes where change.role == .error && change.what == .level(true) { break }
        #expect(await harness.station.counters.closedFromError == 1)
        #expect(await harness.station.openSession == nil)
        #expect(await harness.station.perform(.trigger).error?.contains("the camera is unavailable") == true)

        camera.plugIn()
        _ = try await harness.nextState(of: "camera", "running")
        #expect(await harness.station.perform(.set(["trigger.timeout": "100ms"])).error == nil)
        #expect(await harness.station.perform(.trigger).error == nil)
        #expect(try await harness.nextNoRead().reason == .timeout)
        // The client has heard the same, in the same order.
        var heard: [String] = []
        for try await line in lines {
            let event = try JSONValue(parsing: line.utf8)
            if event["part"] == "camera" || event["type"] == "noRead" {
                heard.append((event["state"] ?? event["reason"])?.stringValue ?? "")
            }
            if heard.last == "timeout" { break }
        }
        let lost = try #require(heard.firstIndex(of: "unavailable"))
        let noRead = try #require(heard.firstIndex(of: "cameraLost"))
        let back = try #require(heard.lastIndex(of: "running"))
        #expect(lost < noRead && noRead < back)
        await client.close()
        await harness.station.stop()
    }

    @Test("a camera that falls silent is reported, restarted, and the code before it is read once it delivers again")
    func silent() async throws {
        let camera = ScriptedCamera(Self.qr)
        let harness = try await start(camera) {
            $0.trigger.mode = .host
            $0.capture.frameTimeout = .milliseconds(300)
        }
        _ = try await harness.nextState(of: "camera", "running")
        camera.setSilent(true)
        let state = try await harness.nextState(of: "camera", "unavailable")
        #expect(state.reason == "stoppedDelivering")
        #expect(state.detail?.contains("check the cable") == true)
        camera.setSilent(false)
        // On a busy machine the watchdog may find it silent again, and end a session.
        var scan: ScanEvent?
        while scan == nil {
            guard await harness.station.perform(.trigger).error == nil else {
                _ = try await harness.nextState(of: "camera", "running")
                continue
            }
            scan = try await harness.next { body -> ScanEvent?? in
                switch body {
                case .scan(let scan): .some(scan)
                case .noRead: .some(nil)
                default: nil
                }
            }
        }
        #expect(scan?.scan.symbol.symbology == .qrCode)
        #expect(await harness.station.counters.cameraInterruptions >= 1)
        await harness.station.stop()
    }

    @Test(
        "a call into the camera that never returns is reported, then given up with lines safe; the end doesn't wait for it"
    )
    func hangs() async throws {
        let camera = ScriptedCamera(Self.qr)
        let harness = try await start(camera) {
            $0.capture.hangLimit = nil
        } options: {
            $0.cameraPatience = .milliseconds(20)
            $0.cameraWatchInterval = .milliseconds(5)
            $0.answerPatience = .milliseconds(10)
            $0.cameraTimeout = .milliseconds(100)
        }
        _ = try await harness.nextScan()
        #expect(await harness.station.perform(.torch(.on)).error == nil)
        camera.hang()
        #expect(await harness.station.perform(.pause).error == nil)
        let blocked = try await harness.nextError(of: "camera", "blocked")
        #expect(blocked.message.contains("check the cable"))
        // Nobody else is stuck with it.
        #expect(await harness.station.perform(.status).fields["camera"]?["state"] == "blocked")
        #expect(await harness.station.perform(.torch(.on)).error == nil)
        _ = try await harness.nextState(of: "torch", "on")

        #expect(await harness.station.perform(.set(["capture.hangLimit": "11s"])).error == nil)
        await harness.station.shortenHangLimit(to: .milliseconds(50))
        #expect(try await harness.nextError(of: "camera", "givenUp").message.contains("capture.hangLimit"))
        var failures: [StationError] = []
        for await failure in harness.station.failures {
            failures.append(failure)
            break
        }
        #expect(failures.map(\.kind) == [.needsNewProcess])
        await harness.station.stop()
        #expect(await harness.station.isCameraStuck)
        #expect(harness.panel.lines.filter { $0.isActive && !$0.isInput } == [])
        #expect(!FileManager.default.fileExists(atPath: harness.socket))
        camera.letGo()
    }

    @Test("a camera that worked and doesn't recover is given up; the station says so before it ends")
    func exhausted() async throws {
        let camera = ScriptedCamera(Self.qr)
        // However long it takes to stop.
        let harness = try await start(
            camera,
            options: {
                $0.cameraPatience = StationHarness.patience
                $0.cameraTimeout = StationHarness.patience
            })
        _ = try await harness.nextScan()
        camera.fault()
        #expect(try await harness.nextError(of: "camera", "givenUp").message.contains("doesn't recover"))
        for await failure in harness.station.failures {
            #expect(failure.kind == .needsNewProcess)
            break
        }
        await harness.station.stop()
        #expect(await !harness.station.isCameraStuck)
    }

    @Test("a camera that never worked in this process is tried on and on, as a new one would be no better off")
    func neverWorked() async throws {
        let camera = ScriptedCamera(Self.qr)
        camera.failStarting(.unavailable(.streamFailed(detail: "the cable")))
        let harness = try await start(camera)
        let error = try await harness.nextError(of: "camera", "recoveryExhausted")
        #expect(error.message.contains("never had a frame"))
        camera.failStarting(nil)
        #expect(try await harness.nextScan().scan.symbol.symbology == .qrCode)
        await harness.station.stop()
        for await failure in harness.station.failures { Issue.record("it gave up: \(failure)") }
    }
}

extension Station {
    /// Below what the configuration takes: what hangs in a test hangs forever, so the limit needs no length.
    fileprivate func shortenHangLimit(to limit: Duration) { cameraAlarm.hangLimit = limit }
}
