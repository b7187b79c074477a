import Control
import Foundation
import Peripherals
import Settings
import TestPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Station
@testable import StationConfiguration

@Suite("The station's console", .timeLimit(.minutes(10)))
struct ConsoleTests {
    private let folder = TemporaryFolder()

    /// A station with a door, and a console at its socket.
    private func start(
        pictures: [String] = ["01-ean13.png"], _ change: @escaping (inout StationSettings) -> Void = { _ in }
    ) async throws -> (harness: StationHarness, console: ByteEnd) {
        let folder = folder
        let harness = try await StationHarness(pictures: pictures) { settings in
            settings.console.isEnabled = true
            settings.console.socket = folder.file("console.sock")
            settings.relay = RelaySettings(line: LineSettings(line: "GPIO26"))
            change(&settings)
        } options: {
            $0.overlay = ConsoleOverlay(OverlayFile(folder: folder.path), putsAside: true)
            $0.trialTime = StationHarness.patience
        }
        try await harness.station.start()
        let console = try #require(RawClient.connect(folder.file("console.sock")))
        return (harness, console)
    }

    private func ask(_ console: ByteEnd, _ command: Command) async -> JSONValue? {
        await console.write(command.line())
        return await console.reply()
    }

    private func relayPulses(_ harness: StationHarness) -> Int {
        harness.panel.trace.count { $0.line == "GPIO26" && $0.what == .level(true) }
    }

    // MARK: A hostile console

    @Test("A hostile console that sends every command moves no door, and every refusal says why")
    func everyCommand() async throws {
        let (harness, console) = try await start()
        _ = try await harness.nextScan()
        let id = try #require(await harness.station.run { $0.host.latest?.scan.id })
        let lines: [String: String] = [
            "ack": #""id":"\#(id)""#, "accept": #""id":"\#(id)","relay":true"#, "refuse": #""id":"\#(id)""#,
            "torch": #""mode":"off""#, "camera": #""id":"x""#, "set": #""values":{"torch.mode":"off"}"#,
            "change": #""values":{"log.level":"error"},"revision":"0""#,
            "scan": #""id":"\#(id)""#, "sendAgain": #""id":"\#(id)","output":"x""#, "testScan": #""output":"x""#,
        ]
        let refused: Set<String> = ["ack", "accept", "refuse", "camera", "relay", "set", "change", "lines"]
        for name in Command.names {
            let fields = lines[name].map { ",\($0)" } ?? ""
            await console.write(#"{"command":"\#(name)"\#(fields)}"# + "\n")
            let reply = try #require(await console.reply(), "\(name)")
            #expect(reply["command"]?.stringValue == name)
            if refused.contains(name) {
                #expect(reply["ok"] == false, "\(name)")
                #expect(reply["error"]?.stringValue?.hasPrefix("the console may not") == true, "\(name)")
            } else if reply["ok"] == false {
                // It may be sent, but can't be done now.
                #expect(reply["error"]?.stringValue?.contains("the console may not") == false, "\(name)")
            }
            #expect(reply["lines"] == nil, "\(name)")
            if let bytes = reply["preview"]?["bytes"]?.integerValue { _ = await console.read(Int(bytes)) }
        }
        #expect(await ask(console, .accept(id: id, relay: .pulse(nil)))?["ok"] == false)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("A hostile console that changes every key gets only those of the list")
    func everyKey() async throws {
        let (harness, console) = try await start()
        let before = await harness.station.settings
        var others = before
        for key in everyPath(StationSchema.station.outline(before)) {
            for value in ["1", "on", "auto", "/tmp/x", "GPIO5"] {
                let revision = await SettingsTrial.revision(of: harness.station.settings)
                let reply = try #require(
                    await ask(console, .change([key: .string(value)], revision: revision, author: "x")))
                guard !ConsoleKeys.all.contains(key) else { continue }
                #expect(
                    reply["error"]?.stringValue?.hasPrefix("the console may not change \"\(key)\"") == true, "\(key)")
                #expect(
                    await harness.station.perform(
                        .change([key: .string(value)], revision: revision, author: nil)
                    ).error != nil, "\(key)")
            }
            // One that may be changed doesn't help.
            let revision = await SettingsTrial.revision(of: harness.station.settings)
            let both = await ask(
                console,
                .change(
                    ["torch.mode": "off"].merging([key: "1"]) { first, _ in first }, revision: revision, author: nil))
            if !ConsoleKeys.all.contains(key) { #expect(both?["ok"] == false, "\(key)") }
        }
        // Whatever it changed is in the three parts that it may change something in.
        let after = await harness.station.settings
        others.capture = after.capture
        others.trigger = after.trigger
        others.torch = after.torch
        #expect(others == after)
        #expect(after.capture.source == before.capture.source)
        #expect(after.capture.hangLimit == before.capture.hangLimit)
        #expect(after.trigger.button == before.trigger.button)
        #expect(after.torch?.line == before.torch?.line)
        await harness.station.stop()
    }

    @Test("Every key of the list may change while the station runs, and every other one is known")
    func list() {
        let keys = Set(RuntimeSettings.keys.map(\.path))
        #expect(ConsoleKeys.all.subtracting(keys) == [])
        // A new key has to be put on one of the two lists by somebody who has thought about it.
        let kept: Set<String> = [
            "capture.hangLimit", "capture.retryFirst", "capture.retryMax", "log.level", "log.maxPerSecond",
        ]
        #expect(keys.subtracting(ConsoleKeys.all) == kept)
    }

    @Test("With console.door: on, the console answers for the host and pulses the relay")
    func door() async throws {
        let (harness, console) = try await start { $0.console.door = true }
        #expect(await ask(console, .relay(.milliseconds(10)))?["ok"] == true)
        #expect(relayPulses(harness) == 1)
        #expect(await ask(console, .hello(ConsoleHello()))?["hello"]?["door"] == true)
        #expect(await ask(console, .status)?["lines"]?.arrayValue?.isEmpty == false)
        #expect(await ask(console, .lines)?["ok"] == false)
        await harness.station.stop()
    }

    private func everyPath(_ keys: [KeyOutline], below path: String = "") -> [String] {
        keys.flatMap { key in
            let path = path.isEmpty ? key.name : "\(path).\(key.name)"
            if case .section(let keys) = key.content { return [path] + everyPath(keys, below: path) }
            return [path]
        }
    }

    // MARK: What it is for

    @Test("hello says what a console must know, and the station knows who is watching")
    func hello() async throws {
        let (harness, console) = try await start {
            $0.console.address = .literal("192.0.2.7")
            $0.console.port = 9090
            $0.console.names = ["scanner.example"]
            $0.trigger.button = ButtonSettings(line: LineSettings(line: "GPIO27"))
        }
        let hello = await ask(
            console, .hello(ConsoleHello(version: "0.1.0", viewers: 2, port: 9091, isOnNetwork: false)))?["hello"]
        let expected: JSONValue = [
            "station": "test", "version": "test", "address": "192.0.2.7", "port": 9090, "names": ["scanner.example"],
            "door": false, "hasTriggerButton": true,
            "firstPassword": ["open": true, "why": .null, "network": false],
        ]
        #expect(hello == expected)
        #expect(try await harness.nextState(of: "console").fields["viewers"] == 2)
        #expect(await harness.station.viewers == 2)
        let status = await harness.station.perform(.status).fields["console"]
        #expect(status?["consoles"] == 1)
        #expect(status?["versions"] == ["0.1.0"])
        #expect(status?["addresses"] == ["http://127.0.0.1:9091/"])
        console.close()
        #expect(try await harness.nextState(of: "console", "alone").fields["viewers"] == 0)
        await harness.station.stop()
    }

    @Test("The picture comes with the codes of its frame, and with the scan that each became")
    func preview() async throws {
        let (harness, console) = try await start()
        let scan = try await harness.nextScan().scan
        var after: UInt64?
        while true {
            let reply = try #require(await ask(console, .preview(PreviewRequest(after: after, maxWidth: 320))))
            guard let preview = reply["preview"], preview != .null else { continue }
            let sequence = UInt64(try #require(preview["seq"]?.integerValue))
            if let after { #expect(sequence > after) }
            after = sequence
            #expect(preview["width"] == 320)
            #expect(preview["height"] == 240)
            #expect(preview["frame"] == ["width": 640, "height": 480])
            #expect(preview["viewport"]?["rule"] == "centre")
            #expect(preview["light"]?["histogram"]?.arrayValue?.count == 32)
            let pixels = await console.read(Int(try #require(preview["bytes"]?.integerValue)))
            #expect(pixels.count == 320 * 240)
            #expect(Set(pixels).count > 10)
            // On a busy machine a frame's result may come later than its picture, which then says so.
            guard preview["read"] == true, let code = preview["codes"]?.arrayValue?.first else { continue }
            #expect(code["text"]?.stringValue == scan.symbol.text)
            #expect(code["scan"]?.stringValue == scan.id)
            #expect(code["withheld"] == false)
            #expect(code["waits"] == false)
            break
        }
        await harness.station.stop()
    }

    @Test("Without a camera there is no picture, and the reply says what the camera does")
    func noPicture() async throws {
        let (harness, console) = try await start()
        _ = await ask(console, .pause)
        _ = try await harness.nextState(of: "camera", "suspended")
        var reply: JSONValue?
        repeat {
            reply = await ask(console, .preview(PreviewRequest(maxWidth: 32)))
            if let bytes = reply?["preview"]?["bytes"]?.integerValue { _ = await console.read(Int(bytes)) }
        } while reply?["preview"] != .null && reply != nil
        #expect(reply?["ok"] == true)
        #expect(reply?["camera"] == "suspended")
        await harness.station.stop()
    }

    @Test("identify plays a cue of its own")
    func identify() async throws {
        let (harness, console) = try await start(pictures: ["05-empty.png"])
        func hasBeeped() -> Bool { harness.panel.trace.contains { $0.line == "GPIO18" && $0.what == .level(true) } }
        #expect(!hasBeeped())
        #expect(await ask(console, .identify)?["ok"] == true)
        var changes = harness.panel.changes().makeAsyncIterator()
        while !hasBeeped(), await changes.next() != nil {}
        await harness.station.stop()
    }

    @Test("The buzzer follows the sharpness while it is asked to, and not without a camera")
    func aim() async throws {
        let (harness, console) = try await start(pictures: ["01-ean13.png", "10-several.png"]) {
            $0.trigger.mode = .host
        }
        func ticks() -> Int { harness.panel.trace.count { $0.line == "GPIO18" && $0.what == .level(true) } }
        var changes = harness.panel.changes().makeAsyncIterator()
        #expect(ticks() == 0)
        _ = try await harness.nextState(of: "camera", "running")
        try #require(await ask(console, .aim(.buzzer))?["ok"] == true)
        while ticks() < 2, await changes.next() != nil {}
        #expect(await ask(console, .aim(.off))?["ok"] == true)
        _ = await ask(console, .pause)
        _ = try await harness.nextState(of: "camera", "suspended")
        let refused = await ask(console, .aim(.buzzer))
        #expect(refused?["error"]?.stringValue?.contains("there is no picture to aim with") == true)
        await harness.station.stop()
    }

    @Test("Where reading waits for a trigger, somebody who aims sees what is read, and nothing of it becomes a scan")
    func aimReads() async throws {
        let (harness, console) = try await start(pictures: ["01-ean13.png"]) {
            $0.trigger.mode = .host
            $0.capture.idle = .stop
        }
        func scans() async -> Int? {
            await ask(console, .scans(ScanQuery(secrets: .withheld)))?["scans"]?.arrayValue?.count
        }
        func sees() async throws {
            while true {
                // The page asks again and again.
                try #require(await ask(console, .aim(.look))?["ok"] == true)
                let preview = await ask(console, .preview(PreviewRequest(maxWidth: 32)))?["preview"]
                guard let bytes = preview?["bytes"]?.integerValue else { continue }
                _ = await console.read(Int(bytes))
                if preview?["codes"]?.arrayValue?.isEmpty == false { return }
            }
        }
        try await sees()
        #expect(await scans() == 0)
        try #require(await ask(console, .trigger)?["ok"] == true)
        let scan = try await harness.nextScan().scan
        #expect(scan.session == 1)
        try await sees()
        #expect(await scans() == 1)
        await harness.station.stop()
    }

    // MARK: The journal, the outputs, the settings

    @Test("Scans come newest first, page by page, each with what became of it")
    func scans() async throws {
        let folder = folder
        let (harness, console) = try await start(pictures: ["01-ean13.png", "04-qr-url.png"]) {
            $0.journal.storage = .disk
            $0.journal.folder = folder.path
            $0.trigger.sameSymbolTimeout = .milliseconds(100)
            $0.outputs = [
                OutputSettings(name: "f", kind: .file(FileSettings(path: folder.file("out"))))
            ]
        }
        for _ in 0..<4 { _ = try await harness.nextScan() }
        _ = await ask(console, .pause)
        var seen: [Int64] = []
        var query = ScanQuery(limit: 3, secrets: .withheld)
        while true {
            let reply = try #require(await ask(console, .scans(query)))
            let page = try #require(reply["scans"]?.arrayValue)
            seen += page.compactMap { $0["seq"]?.integerValue }
            #expect(page.count <= 3)
            for scan in page {
                #expect(scan["receipts"]?.arrayValue?.first?["output"] == "f")
                #expect(scan["answer"] == .null)
            }
            guard reply["more"] == true else { break }
            query.before = UInt64(try #require(reply["before"]?.integerValue))
        }
        #expect(seen.count >= 4)
        #expect(seen == Array((1...Int64(seen.count)).reversed()))
        let codes = try #require(
            await ask(console, .scans(ScanQuery(text: "HTTPS://", kind: "url", secrets: .withheld)))?["scans"]?
                .arrayValue)
        #expect(!codes.isEmpty)
        #expect(codes.allSatisfy { $0["symbology"] == "qr_code" })
        let accepted = await ask(console, .scans(ScanQuery(receipt: .accepted, secrets: .withheld)))
        #expect(accepted?["scans"]?.arrayValue?.isEmpty == false)
        #expect(accepted?["reached"]?.stringValue != nil)
        let refused = await ask(console, .scans(ScanQuery(receipt: .refused, secrets: .withheld)))
        #expect(refused?["scans"] == [])
        #expect(refused?["before"] == 1)
        let id = try #require(codes.first?["id"]?.stringValue)
        #expect(await ask(console, .scan(id: id, secrets: .withheld))?["scan"]?["seq"] == codes.first?["seq"])
        #expect(
            await ask(console, .scan(id: "none", secrets: .withheld))?["error"]?.stringValue?.contains(
                "no scan with the id none") == true)
        #expect(await ask(console, .scans(ScanQuery(before: 0, secrets: .withheld)))?["scans"] == [])

        // Sent again, it is in the file once more; a made-up one says what it is, and is in no journal.
        let last = await harness.station.parts.journal.report().last
        #expect(await ask(console, .sendAgain(id: id, output: "f"))?["ok"] == true)
        #expect(await ask(console, .testScan(output: "f"))?["ok"] == true)
        #expect(await ask(console, .testScan(output: "g"))?["ok"] == false)
        let receipt = try await harness.next { body -> ReceiptEvent? in
            if case .receipt(let receipt) = body, receipt.sequence == 0 { receipt } else { nil }
        }
        #expect(receipt.isAccepted)
        let lines = try String(contentsOfFile: folder.file("out"), encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.contains(id) } == 2)
        #expect(lines.count { $0.contains("\"test\":true") } == 1)
        #expect(await harness.station.parts.journal.report().last == last)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("What the host said about a scan, and how reading went, are there after a restart")
    func restart() async throws {
        let folder = folder
        func onDisk(_ settings: inout StationSettings) {
            settings.console.door = true
            settings.trigger.mode = .pulse
            settings.journal.storage = .disk
            settings.journal.folder = folder.path
        }
        var (harness, console) = try await start(onDisk)
        _ = await ask(console, .trigger)
        let scan = try await harness.nextScan().scan
        #expect(await ask(console, .refuse(id: scan.id, reason: "not today"))?["ok"] == true)
        let before = try #require(await ask(console, .scan(id: scan.id, secrets: .withheld))?["scan"]?["answer"])
        #expect(before["verdict"] == "refused")
        await harness.station.stop()

        (harness, console) = try await start(onDisk)
        #expect(await ask(console, .scan(id: scan.id, secrets: .withheld))?["scan"]?["answer"] == before)
        #expect(
            await ask(console, .scans(ScanQuery(secrets: .withheld)))?["scans"]?.arrayValue?.first?["answer"] == before)
        // A code that is read again is counted with those of the first run.
        _ = await ask(console, .trigger)
        _ = try await harness.nextScan()
        let days = await harness.station.perform(.status).fields["days"]?.arrayValue ?? []
        #expect(days.compactMap { $0["scans"]?.integerValue }.reduce(0, +) == 2)
        #expect(days.compactMap { $0["sessions"]?.integerValue }.reduce(0, +) == 2)
        await harness.station.stop()
    }

    @Test("A host's answer to a test scan is no answer to anything, and moves no relay")
    func testScan() async throws {
        let folder = folder
        let (harness, console) = try await start {
            $0.console.door = true
            $0.outputs = [OutputSettings(name: "out", kind: .file(FileSettings(path: folder.file("out"))))]
        }
        let id = try #require(await ask(console, .testScan(output: "out"))?["scan"]?.stringValue)
        let answer = await ask(console, .accept(id: id, relay: .pulse(nil)))
        #expect(answer?["error"]?.stringValue?.contains("no scan with the id") == true)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("The schema has the keys that the console may set, with their values; outputs and doctor say what to do")
    func schema() async throws {
        let (harness, console) = try await start()
        let keys = try #require(await ask(console, .schema)?["keys"]?.arrayValue)
        #expect(Set(keys.compactMap { $0["key"]?.stringValue }) == ConsoleKeys.all)
        let mode = try #require(keys.first { $0["key"] == "trigger.mode" })
        #expect(mode["type"] == "choice")
        #expect(mode["value"] == "presentation")
        #expect(mode["choices"]?.arrayValue?.contains("pulse") == true)
        #expect(mode["fromConsole"] == false)
        #expect(await harness.station.perform(.set(["trigger.mode": "pulse"])).error == nil)
        let after = await ask(console, .schema)?["keys"]?.arrayValue?.first { $0["key"] == "trigger.mode" }
        #expect(after?["value"] == "pulse")
        let findings = try #require(await ask(console, .doctor)?["findings"]?.arrayValue)
        for check in ["camera", "station", "serial"] {
            #expect(findings.contains { $0["check"]?.stringValue == check && $0["verdict"] == "ok" }, "\(check)")
        }
        #expect(await ask(console, .outputs)?["outputs"] == [])
        await harness.station.stop()
    }

    @Test("A socket that can't be made is reported, and the station works without it")
    func noSocket() async throws {
        let folder = folder
        _ = try folder.write("console.sock", "")
        let harness = try await StationHarness.start(pictures: ["01-ean13.png"]) {
            $0.console.isEnabled = true
            $0.console.socket = folder.file("console.sock")
        }
        let error = try await harness.nextError(of: "console", "socket")
        #expect(error.message.contains("exists and is not a socket"))
        _ = try await harness.nextScan()
        await harness.station.stop()
    }

    @Test("With console.enabled: off there is no socket")
    func off() async throws {
        let harness = try await StationHarness.start(pictures: ["01-ean13.png"])
        #expect(await harness.station.parts.console == nil)
        #expect(await harness.station.perform(.status).fields["console"] == ["enabled": false])
        await harness.station.stop()
    }
}

extension ByteEnd {
    /// The next reply, past the events.
    fileprivate func reply() async -> JSONValue? {
        while let json = await readJSON() { if json["type"] == "reply" { return json } }
        return nil
    }
}
