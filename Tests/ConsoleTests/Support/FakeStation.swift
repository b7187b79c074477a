import Dispatch
import Glibc
import Linux
import Synchronization
import TestSupport
import Wire

/// A station as the console socket shows it: answers commands, tells events, gives pictures; counts what it was asked.
final class FakeStation: Sendable {
    static let journal = "01a1fd0d-e1c3-7b02-9c11-0b6f5d0e8a41"

    struct State: Sendable {
        var commands: [String: Int] = [:]
        /// The lines as they came.
        var lines: [JSONValue] = []
        var last: UInt64 = 3
        var frame: Int64 = 100
        /// These aren't known, as by an older station.
        var unknown: Set<String> = []
        /// These get no reply.
        var mute: Set<String> = []
        var values: [String: JSONValue] = ["torch.mode": "off", "trigger.timeout": "5s"]
        var revision = 1
        /// What a change was before, and whose it is.
        var trial: (before: [String: JSONValue], author: String)?

        var settings: JSONValue {
            let trial: JSONValue? = trial.map {
                [
                    "values": .object(values), "before": .object($0.before), "author": .string($0.author),
                    "leftMs": 60_000,
                ]
            }
            return ["revision": .string("r\(revision)"), "trial": trial ?? .null, "notes": ["a note"], "file": "/x"]
        }

        fileprivate mutating func refusal(of name: String, _ command: JSONValue) -> (String, String)? {
            let revision = command["revision"]?.stringValue
            switch name {
            case "change" where revision != "r\(self.revision)",
                "keep" where ![nil, "r\(self.revision)"].contains(revision):
                return ("outdated", "the settings have changed since")
            case "change":
                if let trial, trial.author != command["author"]?.stringValue {
                    return ("onTrial", "another change, by \(trial.author), is on trial")
                }
                let new = command["values"]?.objectValue ?? [:]
                guard Set(new.keys).isSubset(of: values.keys) else { return ("", "the console may not change these") }
                trial = trial ?? (values, command["author"]?.stringValue ?? "")
                values.merge(new) { $1 }
            case _ where trial == nil: return ("nothingOnTrial", "no change is on trial")
            case "takeBack": values = trial?.before ?? values; trial = nil
            default: trial = nil
            }
            self.revision += name == "keep" ? 0 : 1
            return nil
        }
        /// For one question.
        var scansLookedAt = 2000
        /// How far a code for the first password is.
        var stage = "waiting"
        fileprivate var clients: [Int32: Bool] = [:]
        fileprivate var listener: Int32 = -1
    }

    let path: String
    let state = Observed(State())

    init(path: String) { self.path = path }

    deinit { stop() }

    func start() throws {
        unlink(path)
        let number = try UnixSocket.listen(path)
        state.change { $0.listener = number }
        DispatchQueue(label: "fake station").async { [self] in
            while true {
                let client = accept(number, nil, nil)
                guard client >= 0 else { return }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                state.change { $0.clients[client] = false }
                DispatchQueue(label: "fake station's client").async { [self] in serve(client) }
            }
        }
    }

    /// The power is cut: every connection ends, and nobody answers any more.
    func stop() {
        state.change { state in
            shutdown(state.listener, Int32(SHUT_RDWR))
            close(state.listener)
            state.listener = -1
            for client in state.clients.keys { shutdown(client, Int32(SHUT_RDWR)) }
        }
        unlink(path)
    }

    func asked(_ command: String) -> Int { state.value.commands[command, default: 0] }

    /// A scan is read.
    func scan() {
        let (line, clients) = state.change { state in
            state.last += 1
            return (Self.scanLine(state.last), state.clients.filter(\.value).keys)
        }
        for client in clients { send(client, line) }
    }

    static func scanLine(_ seq: UInt64) -> [UInt8] {
        Array(
            (#"{"v":1,"type":"scan","id":"scan-\#(seq)","journal":"\#(journal)","seq":\#(seq),"station":"dock-1","symbology":"qr_code","#
                + #""text":"<b>\#(seq)</b>","payload":{"kind":"text"}}"# + "\n").utf8)
    }

    private func serve(_ client: Int32) {
        let descriptor = Descriptor(client)
        var splitter = LineSplitter(maxLineBytes: 1 << 20)
        while case .bytes(let bytes) = descriptor.read(limit: 65_536) {
            for case .line(let line) in splitter.add(bytes) {
                if let command = try? JSONValue(parsing: line) { obey(command, client) }
            }
        }
        _ = state.change { $0.clients.removeValue(forKey: client) }
    }

    private func obey(_ command: JSONValue, _ client: Int32) {
        let name = command["command"]?.stringValue ?? ""
        let answer: [UInt8]? = state.change { state in
            state.commands[name, default: 0] += 1
            state.lines.append(command)
            guard !state.mute.contains(name) else { return nil }
            var (reply, tail) = Self.reply(to: name, command, &state, client)
            reply["command"] = .string(name)
            reply["tag"] = command["tag"] ?? .null
            reply["ok"] = reply["ok"] ?? true
            // Version and type come first.
            return Array(#"{"v":1,"type":"reply","#.utf8) + JSONValue.object(reply).bytes.dropFirst() + [10] + tail
        }
        if let answer { send(client, answer) }
    }

    private static func reply(
        to name: String, _ command: JSONValue, _ state: inout State, _ client: Int32
    ) -> ([String: JSONValue], [UInt8]) {
        if state.unknown.contains(name) { return (["ok": false, "error": .string("unknown command \"\(name)\"")], []) }
        switch name {
        case "hello":
            return (
                [
                    "hello": [
                        "station": "dock-1", "version": "9.9", "door": false, "news": [1, 2],
                        "names": ["console.example.com"],
                        "firstPassword": ["open": true, "network": true, "why": .null],
                    ]
                ], []
            )
        case "status": return (["status": ["station": "dock-1", "camera": ["state": "running"]]], [])
        case "subscribe":
            state.clients[client] = true
            guard let after = command["after"]?.integerValue else { return (["last": .count(state.last)], []) }
            guard command["journal"]?.stringValue == journal else {
                return (["ok": false, "error": "there is another journal now"], [])
            }
            let missed = (UInt64(after) + 1)..<max(state.last + 1, UInt64(after) + 1)
            return (["last": .count(state.last), "missed": 0], missed.flatMap(scanLine))
        case "preview":
            state.frame += 1
            let pixels = (0..<(32 * 18)).map { UInt8($0 % 251) }
            return (
                [
                    "preview": [
                        "seq": .integer(state.frame), "width": 32, "height": 18, "bytes": .integer(Int64(pixels.count)),
                        "codes": [],
                    ]
                ], pixels
            )
        case "scans":
            let scans = (1...state.last).reversed().compactMap { try? JSONValue(parsing: scanLine($0).dropLast()) }
            let before = command["before"]?.integerValue ?? .max
            let older = scans.filter { ($0["seq"]?.integerValue ?? 0) < before }
            // As a station does: it looks at a limited number, and answers with a limited number of those that match.
            let looked = older.prefix(state.scansLookedAt)
            let wanted = command["text"]?.stringValue
            let fitting = looked.filter { scan in wanted.map { scan["text"]?.stringValue?.contains($0) == true } ?? true
            }
            let limit = Int(command["limit"]?.integerValue ?? 50)
            let told = Array(fitting.prefix(limit))
            let end = fitting.count > limit ? told.last?["seq"] : looked.last?["seq"]
            return (
                [
                    "scans": .array(told), "more": .bool((end?.integerValue ?? 1) > 1), "before": end ?? 1,
                    "reached": "2026-11-24T12:00:00.000Z",
                ], []
            )
        case "scan":
            guard let id = command["id"]?.stringValue, id.hasPrefix("scan-"), let seq = UInt64(id.dropFirst(5)),
                seq <= state.last,
                let scan = try? JSONValue(parsing: scanLine(seq).dropLast())
            else { return (["ok": false, "error": "the journal has no such scan"], []) }
            return (["scan": scan], [])
        case "schema":
            return (
                [
                    "keys": .array(
                        state.values.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": $0.value] }),
                    "settings": state.settings, "changes": [],
                ], []
            )
        case "change", "keep", "takeBack":
            guard let (code, why) = state.refusal(of: name, command) else {
                return (["settings": state.settings], [])
            }
            let refusal: [String: JSONValue] = ["ok": false, "error": .string(why)]
            return (code.isEmpty ? refusal : refusal.merging(["code": .string(code)]) { $1 }, [])
        case "outputs": return (["outputs": [["name": "stock"]]], [])
        case "doctor": return (["findings": [["check": "camera", "verdict": "ok"]]], [])
        case "firstPassword":
            let stage = state.stage
            if command["step"] == "use", stage != "open" {
                return (["ok": false, "error": "this browser may not set the password"], [])
            }
            return (["stage": .string(stage), "leftMs": 60_000, "why": stage == "over" ? "twoAsked" : .null], [])
        case "pause": return (["ok": false, "error": "the station is paused already"], [])
        default: return ([:], [])
        }
    }

    private func send(_ client: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }
}
