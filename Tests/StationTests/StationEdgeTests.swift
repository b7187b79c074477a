import Foundation
import Peripherals
import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary
import Wire

@testable import Station

/// What happens when things change, fail or end while something else is under way.
@Suite("Station, at its edges", .timeLimit(.minutes(10)))
struct StationEdgeTests {
    private static let qr = "04-qr-url.png"
    private static let empty = "05-empty.png"

    @Test("a camera that is back is used by the next session, even if it stands still between sessions")
    func cameraBackWithIdleStop() async throws {
        let folder = NSTemporaryDirectory() + "st-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let picture = folder + "/code.png"
        let harness = try await StationHarness.start(pictures: []) {
            $0.capture.source = .replay(ReplaySettings(paths: [picture]))
            $0.capture.idle = .stop
            $0.capture.retryFirst = .milliseconds(20)
            $0.capture.retryMax = .milliseconds(20)
            $0.trigger.mode = .host
        }
        _ = try await harness.nextState(of: "camera", "unavailable")
        #expect(await harness.station.perform(.trigger).error?.contains("the camera is unavailable") == true)
        // Complete before it is there: half a picture would be another fault.
        try FileManager.default.copyItem(atPath: StationHarness.scene + "/" + Self.qr, toPath: folder + "/copy")
        try FileManager.default.moveItem(atPath: folder + "/copy", toPath: picture)
        _ = try await harness.nextState(of: "camera", "available")
        #expect(await harness.station.perform(.trigger).error == nil)
        #expect(try await harness.nextScan().scan.symbol.symbology == .qrCode)
        await harness.station.stop()
    }

    @Test("a trigger is answered with its session, and a second one with the same")
    func triggerReply() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty]) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        let first = await harness.station.perform(.trigger)
        #expect(first.fields["session"]?.integerValue == 1)
        #expect(await harness.station.perform(.trigger).fields["session"] == first.fields["session"])
        await harness.station.stop()
    }

    @Test("another trigger mode and a pause end the session that is open")
    func sessionIsEnded() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty]) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        _ = await harness.station.perform(.trigger)
        #expect(await harness.station.perform(.set(["trigger.mode": "pulse"])).error == nil)
        #expect(try await harness.nextState(of: "session", "ended").reason == "cancelled")
        _ = await harness.station.perform(.trigger)
        #expect(await harness.station.perform(.pause).error == nil)
        #expect(try await harness.nextState(of: "session", "ended").reason == "cancelled")
        #expect(await harness.station.openSession == nil)
        await harness.station.stop()
    }

    @Test("the last event says that the station has stopped, and commands are refused from then on")
    func end() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        _ = try await harness.nextScan()
        await harness.station.stop()
        var last: StateEvent?
        await #expect(throws: StationHarness.StationEnded.self) {
            while true {
                last = try await harness.next { if case .state(let event) = $0 { event } else { nil } }
            }
        }
        #expect(last?.part == "station")
        #expect(last?.state == "stopped")
        #expect(await harness.station.perform(.trigger).error == "the station is stopping")
    }

    @Test("a chosen camera stays chosen when another setting changes")
    func chosenCamera() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty])
        _ = try await harness.nextState(of: "camera", "running")
        #expect(await harness.station.perform(.camera(id: "rep")).error == nil)
        #expect(await harness.station.settings.capture.camera == "replay")
        #expect(await harness.station.perform(.set(["capture.zoom": "2"])).error == nil)
        #expect(await harness.station.settings.capture.camera == "replay")
        #expect(
            await harness.station.perform(.camera(id: "none such")).error?.contains("the cameras are: replay") == true)
        await harness.station.stop()
    }

    @Test("a reread configuration changes what can change, and names the rest")
    func reload() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty]) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        var new = await harness.station.settings
        new.trigger.timeout = .milliseconds(200)
        new.trigger.button = nil
        new.control.maxClients = 3
        #expect(try await harness.station.reload(new) == ["trigger.button", "control"])
        #expect(try await harness.nextState(of: "station", "reloaded").detail?.contains("control") == true)
        #expect(await harness.station.settings.trigger.button != nil)
        _ = await harness.station.perform(.trigger)
        // The old time-out wouldn't have come before the test's own limit.
        #expect(try await harness.nextNoRead().reason == .timeout)
        await harness.station.stop()
    }

    @Test("a symbology that no linked library reads is refused at the start, and by a reread configuration")
    func unreadableSymbology() async throws {
        let decoders = DecoderInventory(decoders: [
            DecoderCapability(library: "x", version: "1", symbologies: [.qrCode, .ean13])
        ])
        let error = await #expect(throws: StationError.self) {
            try await StationHarness(pictures: [Self.empty]) {
                $0.reading.symbologies = [.qrCode: SymbologySettings(), .maxiCode: SymbologySettings()]
            } options: {
                $0.decoders = decoders
            }
        }
        #expect(error?.kind == .configuration)
        #expect(
            error?.message
                == "no linked library reads \(Symbology.maxiCode.rawValue): take it out of reading.symbologies")

        let harness = try await StationHarness(pictures: [Self.empty]) {
            $0.reading.symbologies = [.qrCode: SymbologySettings()]
        } options: {
            $0.decoders = decoders
        }
        let before = await harness.station.settings
        var new = before
        new.trigger.mode = .host
        new.reading.symbologies[.aztec] = SymbologySettings()
        await #expect(throws: StationError.self) { try await harness.station.reload(new) }
        #expect(await harness.station.settings == before)
        new.reading.symbologies = [.ean13: SymbologySettings()]
        #expect(try await harness.station.reload(new) == [])
    }

    @Test("missed notices about lines are made up for by each line's state")
    func missedNotices() async throws {
        let harness = try await StationHarness(pictures: [Self.empty])
        harness.panel.setFault(.taken(by: "lirc"), line: "GPIO22")
        try await harness.station.start()
        _ = try await harness.nextState(of: "line.good", "lost")
        await harness.station.handle(PeripheralNotice.missed(3))
        #expect(try await harness.nextState(of: "line.torch").state == "held")
        let good = try await harness.nextState(of: "line.good")
        #expect(good.state == "lost")
        #expect(good.detail?.contains("lirc") == true)
        await harness.station.stop()
    }

    @Test("sharpness, noise reduction and back-off change while the camera runs, without another capture run")
    func pictureSettings() async throws {
        let harness = try await StationHarness.start(pictures: [Self.empty])
        _ = try await harness.nextState(of: "camera", "running")
        let reply = await harness.station.perform(
            .set([
                "capture.sharpness": "2", "capture.noiseReduction": "off", "capture.retryFirst": "1s",
                "capture.retryMax": "1min",
            ]))
        #expect(reply.error == nil)
        #expect(await harness.station.settings.capture.sharpness == 2)
        let camera = await harness.station.perform(.status).fields["camera"]
        #expect(camera?["runs"] == 1)
        #expect(camera?["state"] == "running")
        await harness.station.stop()
    }

    @Test("readers that can't start are reported, and the status says so")
    func noReader() async throws {
        let harness = try await StationHarness(pictures: [Self.qr], reader: "/nonexistent/scanstation-reader")
        try await harness.station.start()
        let error = try await harness.next { if case .error(let error) = $0 { error } else { nil } }
        #expect(error.part == "reader")
        let status = await harness.station.perform(.status)
        #expect(status.fields["readers"]?["problem"]?.stringValue?.contains("/nonexistent") == true)
        await harness.station.stop()
    }
}
