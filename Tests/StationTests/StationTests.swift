import Control
import ControlSupport
import Foundation
import Peripherals
import TestPeers
import Testing
import Vocabulary
import Wire

@testable import Station

/// The whole station: real reader processes, replayed pictures, a simulated panel, a real socket.
@Suite("Station", .timeLimit(.minutes(10)))
struct StationTests {
    private static let qr = "04-qr-url.png"
    private static let ean = "01-ean13.png"
    private static let empty = "05-empty.png"

    @Test("in presentation mode a code that comes into view is one scan, and one more after it was away")
    func presentation() async throws {
        let harness = try await StationHarness.start(pictures: [Self.ean, Self.empty]) {
            $0.trigger.sameSymbolTimeout = .milliseconds(200)
        }
        let first = try await harness.nextScan()
        #expect(first.scan.symbol.symbology == .ean13)
        #expect(first.scan.sequence == 1)
        #expect(first.scan.trigger == .presentation)
        let second = try await harness.nextScan()
        #expect(second.scan.symbol.bytes == first.scan.symbol.bytes)
        #expect(second.scan.sequence == 2)
        // It was away in between: a picture without a code was shown.
        #expect(second.scan.frame.sequence >= first.scan.frame.sequence + 15)
        await harness.station.stop()
    }

    @Test("a press of the trigger button starts a session, which ends with its scan; the good LED lights")
    func pulse() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr]) { $0.trigger.mode = .pulse }
        _ = try await harness.nextState(of: "camera", "running")
        let changes = harness.panel.changes()
        #expect(harness.panel.press(.trigger))
        _ = try await harness.nextState(of: "session", "started")
        let scan = try await harness.nextScan()
        #expect(scan.scan.session == 1)
        #expect(scan.payload.kind == "url")
        #expect(try await harness.nextState(of: "session", "ended").reason == "scanned")
        #expect(harness.panel.release(.trigger))
        var answered: Set<LineRole> = []
        for await change in changes {
            switch (change.role, change.what) {
            case (.good?, .level(true)): answered.insert(.good)
            case (.buzzer?, .tone(let hertz)) where hertz > 0: answered.insert(.buzzer)
            case (.buzzer?, .level(true)): answered.insert(.buzzer)
            default: break
            }
            if answered == [.good, .buzzer] { break }
        }
        await harness.station.stop()
    }

    @Test("a session without a code ends with a no-read when its time is up")
    func noRead() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty]) {
            $0.trigger.mode = .host
            $0.trigger.timeout = .milliseconds(300)
        }
        _ = try await harness.nextState(of: "camera", "running")
        let reply = await harness.station.perform(.trigger)
        #expect(reply.error == nil)
        let noRead = try await harness.nextNoRead()
        #expect(noRead.reason == .timeout)
        #expect(await harness.station.counters.noReads == 1)
        await harness.station.stop()
    }

    @Test("alphanumeric codes wait for a confirmation, numeric ones go at once")
    func confirmation() async throws {
        let alphanumeric = try await StationHarness.start(pictures: [Self.qr]) {
            $0.confirmation.policy = .alphanumeric
        }
        _ = try await alphanumeric.nextState(of: "confirmation", "waiting")
        #expect(await alphanumeric.station.counters.scans == 0)
        #expect(await alphanumeric.station.perform(.confirm).error == nil)
        #expect(try await alphanumeric.nextScan().scan.symbol.symbology == .qrCode)
        await alphanumeric.station.stop()

        let numeric = try await StationHarness.start(pictures: [Self.ean]) { $0.confirmation.policy = .alphanumeric }
        #expect(try await numeric.nextScan().scan.symbol.symbology == .ean13)
        #expect(await numeric.station.awaitingConfirmation == nil)
        await numeric.station.stop()
    }

    @Test("the confirm button confirms too")
    func confirmButton() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr]) {
            $0.confirmation.policy = .always
            $0.confirmation.acceptsCommand = false
        }
        _ = try await harness.nextState(of: "confirmation", "waiting")
        #expect(await harness.station.perform(.confirm).error != nil)
        #expect(harness.panel.press(.confirm))
        let scan = try await harness.nextScan()
        #expect(scan.scan.symbol.symbology == .qrCode)
        await harness.station.stop()
    }

    @Test("what lies outside the viewport is not read, and is read once the viewport takes it in")
    func viewport() async throws {
        let harness = try await StationHarness.start(pictures: [Self.ean]) {
            $0.trigger.mode = .host
            $0.trigger.timeout = .milliseconds(500)
            $0.capture.viewport = Viewport(rect: Rect(x: 0, y: 0, width: 0.1, height: 0.1))
        }
        _ = try await harness.nextState(of: "camera", "running")
        _ = await harness.station.perform(.trigger)
        #expect(try await harness.nextNoRead().reason == .timeout)
        #expect(await harness.station.perform(.set(["trigger.timeout": "1h"])).error == nil)
        _ = await harness.station.perform(.viewport(.full))
        _ = await harness.station.perform(.trigger)
        #expect(try await harness.nextScan().scan.symbol.symbology == .ean13)
        await harness.station.stop()
    }

    @Test("at the end every output line is at its safe level, the torch was lit and driven off")
    func safeLevels() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty])
        _ = try await harness.nextState(of: "camera", "running")
        #expect(await harness.station.perform(.torch(.on)).error == nil)
        _ = try await harness.nextState(of: "torch", "on")
        #expect(harness.panel.isActive(line: "GPIO17"))
        await harness.station.stop()
        #expect(harness.panel.lines.filter { $0.isActive && !$0.isInput } == [])
        #expect(harness.panel.trace.contains { $0.role == .torch && $0.what == .level(false) })
    }

    @Test("a second station on the same socket is refused, and the first goes on")
    func secondStation() async throws {
        let first = try await StationHarness.start(pictures: [Self.empty])
        let path = first.socket
        let second = try await StationHarness(pictures: [Self.empty]) { $0.control.socket = path }
        await #expect(throws: ControlError.self) { try await second.station.start() }
        let client = try await ControlClient.connect(path: path)
        let status = try await client.ask(.status)
        #expect(status["ok"] == true)
        await client.close()
        await first.station.stop()
    }

    @Test("a scene that isn't there is a state with its reason; the station stays and answers")
    func cameraUnavailable() async throws {
        let harness = try await StationHarness.start(pictures: ["no-such-picture.png"])
        let state = try await harness.nextState(of: "camera", "unavailable")
        #expect(state.reason == "scene")
        // It replays pictures already: no advice to do so.
        #expect(CameraState.unavailable(.scene(detail: "gone")).advice == "the station keeps running and retries")
        #expect(CameraState.unavailable(.disconnected).advice.hasSuffix("without a camera: scanstation run --simulate"))
        let reply = await harness.station.perform(.status)
        #expect(reply.error == nil)
        #expect(reply.fields["camera"]?["state"]?.stringValue == "unavailable")
        await harness.station.stop()
    }

    @Test("pause releases the camera and refuses triggers; resume takes it back")
    func pause() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr]) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        _ = await harness.station.perform(.pause)
        _ = try await harness.nextState(of: "camera", "suspended")
        #expect(await harness.station.perform(.trigger).error?.contains("resume") == true)
        _ = await harness.station.perform(.resume)
        _ = try await harness.nextState(of: "camera", "running")
        _ = await harness.station.perform(.trigger)
        #expect(try await harness.nextScan().scan.symbol.symbology == .qrCode)
        await harness.station.stop()
    }

    @Test("focusing a camera that can't be focused is refused, with the reason")
    func focus() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty])
        _ = try await harness.nextState(of: "camera", "running")
        let reply = await harness.station.perform(.focus(nil))
        #expect(reply.error?.contains("the camera can't be focused: ") == true, "\(reply)")
        await harness.station.stop()
    }

    @Test("a wrong setting changes nothing, and a right one takes effect")
    func runtimeSettings() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty])
        let before = await harness.station.settings
        let refused = await harness.station.perform(
            .set(["trigger.timeout": "2s", "trigger.timout": "2s"]))
        #expect(refused.error?.contains("did you mean \"trigger.timeout\"") == true)
        #expect(await harness.station.settings == before)
        #expect(await harness.station.perform(.set(["trigger.mode": "host"])).error == nil)
        #expect(await harness.station.settings.trigger.mode == .host)
        #expect(await harness.station.perform(.trigger).error == nil)
        await harness.station.stop()
    }

    @Test("the host's answer reaches the other clients")
    func hostAnswer() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        let scan = try await harness.nextScan().scan
        #expect(await harness.station.perform(.refuse(id: scan.id, reason: "unknown article")).error == nil)
        let answer = try await harness.next { if case .answer(let answer) = $0 { answer } else { nil } }
        #expect(answer.scan == scan.id)
        #expect(answer.verdict == .refused)
        #expect(answer.by == "control")
        #expect(answer.reason == "unknown article")
        #expect(await harness.station.perform(.accept(id: "no such scan")).error != nil)
        await harness.station.stop()
    }
}
