import Control
import Foundation
import Linux
import Peripherals
import Settings
import Synchronization
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Station

/// Serial devices, GPIO lines and clocks that fail under a whole station: the scans go on.
@Suite("Device faults", .timeLimit(.minutes(10)))
struct DeviceFaultTests {
    private static let ean = "01-ean13.png"
    private static let text = "2098765000425"

    /// One session, one scan.
    private func scan(_ harness: StationHarness) async throws -> ScanEvent {
        #expect(await harness.station.perform(.trigger).error == nil)
        return try await harness.nextScan()
    }

    @Test(
        "a serial device that is unplugged delays neither scans nor other outputs, and gets what it missed when it is back"
    )
    func serialUnplugged() async throws {
        let cable = SerialCable()
        let path = NSTemporaryDirectory() + "st-\(UUID().uuidString.prefix(8)).sock"
        let harness = try await StationHarness.start(pictures: [Self.ean]) {
            $0.trigger.mode = .host
            var serial = SerialSettings(device: cable.device)
            serial.format.template = "{seq} {text}<CR><LF>"
            $0.outputs = [
                OutputSettings(name: "till", kind: .serial(serial)),
                OutputSettings(name: "shelf", kind: .unixSocket(UnixSocketSettings(path: path))),
            ]
        }
        var ready: Set<String> = []
        while ready != ["output.till", "output.shelf"] {
            let state = try await harness.next { if case .state(let state) = $0 { state } else { nil } }
            if state.state == "ready", state.part.hasPrefix("output.") { ready.insert(state.part) }
        }
        let shelf = try await ControlClient.connect(path: path)
        var lines = await shelf.events().makeAsyncIterator()
        func nextOnShelf() async throws -> Int64? {
            while let line = try await lines.next() {
                let event = try JSONValue(parsing: line.utf8)
                if event["type"] == "scan" { return event["seq"]?.integerValue }
            }
            return nil
        }
        _ = try await scan(harness)
        #expect(await cable.host.readLine() == "1 \(Self.text)\r")
        #expect(try await nextOnShelf() == 1)

        cable.unplug()
        #expect(try await harness.nextState(of: "output.till", "waiting").detail?.contains("was unplugged") == true)
        for sequence in 2...4 as ClosedRange<Int64> {
            // Neither the scan nor the other output waits for the one that is away.
            #expect(try await scan(harness).scan.sequence == UInt64(sequence))
            #expect(try await nextOnShelf() == sequence)
        }
        let outputs = await harness.station.perform(.status).fields["outputs"]?.arrayValue
        #expect(outputs?.first?["state"] == "waiting")

        cable.plugIn()
        _ = try await harness.nextState(of: "output.till", "ready")
        for sequence in 2...4 { #expect(await cable.host.readLine() == "\(sequence) \(Self.text)\r") }
        _ = try await scan(harness)
        #expect(await cable.host.readLine() == "5 \(Self.text)\r")
        await shelf.close()
        await harness.station.stop()
    }

    @Test(
        "an output line that is missing, taken or forbidden at the start, or vanishes later, is reported; codes are read meanwhile",
        arguments: [SimulatedPanel.Fault.missing, .taken(by: "lirc"), .permissionDenied, .vanished],
        ["GPIO22", "GPIO18", "GPIO26"])
    func outputLines(fault: SimulatedPanel.Fault, line: String) async throws {
        let role = ["GPIO22": "good", "GPIO18": "buzzer", "GPIO26": "relay"][line] ?? ""
        let harness = try await StationHarness(pictures: [Self.ean]) { $0.trigger.mode = .host }
        if fault != .vanished { harness.panel.setFault(fault, line: line) }
        try await harness.station.start()
        if fault == .vanished {
            harness.panel.setFault(fault, line: line)
            // Using it shows that it is gone, if nothing has before.
            #expect(await harness.station.perform(.trigger).error == nil)
            _ = await harness.station.perform(.relay(nil))
        }
        #expect(try await harness.nextState(of: "line.\(role)", "lost").detail?.isEmpty == false)
        _ = try await scan(harness)
        let status = await harness.station.lineStatuses().first { $0.line == line }
        #expect(status?.isHeld == false)
        #expect(status?.problem?.isEmpty == false)
        harness.panel.setFault(nil, line: line)
        _ = try await harness.nextState(of: "line.\(role)", "held")
        _ = try await scan(harness)
        #expect(await harness.station.lineStatuses().first { $0.line == line }?.isHeld == true)
        await harness.station.stop()
    }

    @Test(
        "a trigger button whose chip vanishes while it is held is released; the session ends, and the button works when it is back"
    )
    func buttonVanishes() async throws {
        let harness = try await StationHarness.start(pictures: ["05-empty.png"]) { $0.trigger.mode = .level }
        _ = try await harness.nextState(of: "camera", "running")
        #expect(harness.panel.press(.trigger))
        _ = try await harness.nextState(of: "session", "started")
        harness.panel.setFault(.vanished, line: "GPIO27")
        #expect(try await harness.nextState(of: "session", "ended").reason == "released")
        harness.panel.press(line: "GPIO27", false)
        harness.panel.setFault(nil, line: "GPIO27")
        _ = try await harness.nextState(of: "line.trigger", "held")
        #expect(harness.panel.press(.trigger))
        _ = try await harness.nextState(of: "session", "started")
        await harness.station.stop()
    }

    /// A wall clock that a test sets.
    private final class WallClock: Sendable {
        private let offset = Mutex<Int64>(0)

        func jump(hours: Int64) { offset.withLock { $0 += hours * 3_600_000_000_000 } }

        var now: Int64 {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) + offset.withLock { $0 }
        }
    }

    @Test(
        "a wall clock that jumps ends no session, makes no code new, and delays no output's next attempt",
        arguments: [1, -1, 24 * 365 * 10] as [Int64])
    func clockJumps(hours: Int64) async throws {
        let wall = WallClock()
        let cable = SerialCable()
        cable.unplug()
        let camera = ScriptedCamera(Self.ean, "05-empty.png")
        let harness = try await StationHarness(pictures: []) {
            // A code that is away for the length of a picture isn't new: a jump of an hour mustn't make it so.
            $0.trigger.sameSymbolTimeout = .seconds(1800)
            $0.trigger.timeout = .seconds(1800)
            $0.outputs = [OutputSettings(name: "till", kind: .serial(SerialSettings(device: cable.device)))]
        } options: {
            $0.cameraSystem = camera
            $0.clock = MachineClock(wallNanoseconds: { wall.now })
        }
        try await harness.station.start()
        let before = try await harness.nextScan()
        // The output waits for its next attempt, a sighting is followed, and then a session is open.
        wall.jump(hours: hours)
        await camera.frames(60)
        #expect(await harness.station.counters.scans == 1)
        #expect(await harness.station.perform(.set(["trigger.mode": "host"])).error == nil)
        #expect(
            await harness.station.perform(.viewport(Viewport(rect: Rect(x: 0, y: 0, width: 0.05, height: 0.05)))).error
                == nil)
        #expect(await harness.station.perform(.trigger).error == nil)
        wall.jump(hours: hours)
        await camera.frames(30)
        #expect(await harness.station.openSession != nil)
        #expect(await harness.station.counters.noReads == 0)

        #expect(await harness.station.perform(.viewport(.full)).error == nil)
        let after = try await harness.nextScan()
        #expect(after.scan.sequence == before.scan.sequence + 1)
        #expect(before.scan.acceptedAt < after.scan.acceptedAt)
        // What was accepted is handed over as soon as the device is there, whatever the wall clock says.
        cable.plugIn()
        for _ in 0..<2 { #expect(await cable.host.readLine() == Self.text + "\r") }
        await harness.station.stop()
    }
}
