import Foundation
import Synchronization
import TestSupport

/// One life of the station under test.
final class StationRun: Sendable {
    /// What was waited for didn't happen within the limit.
    struct TimedOut: Error, CustomStringConvertible {
        let what: String
        let seconds: Double
        var description: String { "\(what): not within \(Int(seconds)) s" }
    }

    let process: ChildProcess
    private let trace: LineThread
    private let socket: String
    private let ledger: StationLedger
    private let control = Mutex<(descriptor: Int32, reading: LineThread?)>((-1, nil))

    /// - Parameters:
    ///   - arguments: of `stress-station`, besides the folder.
    ///   - launcher: a command that runs the rest of its command line; the station takes its place.
    init(
        folder: String, arguments: [String], launcher: [String] = [], environment: [String: String] = [:],
        ledger: StationLedger
    ) throws {
        let command = launcher + [StressExecutables.own, "stress-station", "--folder", folder] + arguments
        self.ledger = ledger
        socket = folder + "/station.sock"
        let inRun = Mutex((commits: 0, beeps: 0))
        (process, trace) = try ChildLines.read { output in
            try ChildProcess(
                command[0], Array(command.dropFirst()), environment: environment, standardOutput: output,
                log: folder + "/station.log")
        } _: { line in
            let words = line.split(separator: " ")
            switch words.first {
            case "kept":
                guard words.count == 4, let sequence = UInt64(words[1]), let took = Double(words[3]) else { return }
                ledger.change { contents in
                    contents.kept.append((sequence, String(words[2])))
                    contents.keptSeconds.append(took / 1e6)
                    contents.keptAt[String(words[2])] = Clock.now
                }
            case "commit":
                inRun.withLock { $0.commits += 1 }
                ledger.change { $0.commits += 1 }
            case "pulse": ledger.change { $0.pulses += 1 }
            case "beep":
                let isTooMany = inRun.withLock { inRun in
                    inRun.beeps += 1
                    return inRun.beeps > inRun.commits
                }
                ledger.change { contents in
                    contents.beeps += 1
                    if isTooMany { contents.beepsWithoutCommit += 1 }
                }
            default: break
            }
        }
        Thread { [weak self] in self?.listen() }.start()
    }

    /// Connects to the control socket as soon as there is one, and writes down what is announced.
    private func listen() {
        let deadline = Clock.now + 60
        while process.isRunning, Clock.now < deadline {
            if let descriptor = UnixSocket.connect(socket) {
                let reading = LineThread(descriptor) { [ledger] in Self.note($0, in: ledger) }
                // What was announced before anybody listened.
                let bytes = Array("{\"command\":\"status\"}\n".utf8)
                _ = write(descriptor, bytes, bytes.count)
                return control.withLock { $0 = (descriptor, reading) }
            }
            usleep(5000)
        }
    }

    private static func note(_ line: Substring, in ledger: StationLedger) {
        guard let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return }
        switch event["type"] as? String {
        case "scan":
            guard let scan = DeliveryRecord.parse(json: line) else { return }
            ledger.change { $0.announced.append(scan) }
        case "state" where event["part"] as? String == "journal":
            let state = event["state"] as? String ?? ""
            ledger.change { $0.journalStates.append(state) }
        case "state":
            guard let part = event["part"] as? String, part.hasPrefix("output.") else { return }
            ledger.change { $0.outputStates[String(part.dropFirst(7))] = event["state"] as? String ?? "" }
        case "reply":
            if let tag = event["tag"] as? String { ledger.change { $0.tags.insert(tag) } }
            for case let output as [String: Any] in event["outputs"] as? [Any] ?? [] {
                guard let name = output["name"] as? String, let state = output["state"] as? String else { continue }
                ledger.change { $0.outputStates[name] = $0.outputStates[name] ?? state }
            }
        case "answer":
            let told = AnswerTold(
                scan: event["scan"] as? String ?? "", verdict: event["verdict"] as? String ?? "",
                by: event["by"] as? String ?? "", relay: event["relay"] as? Bool ?? false,
                isLate: event["late"] as? Bool ?? false, at: Clock.now)
            ledger.change { $0.answers.append(told) }
        case "error":
            let code = "\(event["part"] ?? "").\(event["code"] ?? "")"
            ledger.change { $0.errors[code, default: 0] += 1 }
        default: break
        }
    }

    static func isReply(_ line: Substring) -> Bool {
        let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return event?["type"] as? String == "reply"
    }

    /// Returns when what the station had to tell by now has been written down: a reply comes behind it.
    func settle() throws {
        let tag = "settle-\(UInt64.random(in: .min ... .max))"
        try command("status", tag: tag)
        try wait(for: "the station replies", limit: 60) { ledger.now.tags.contains(tag) }
    }

    /// Waits for the control socket first.
    func command(_ name: String, tag: String? = nil) throws {
        let deadline = Clock.now + 60
        let mark = tag.map { ",\"tag\":\"\($0)\"" } ?? ""
        while Clock.now < deadline {
            let descriptor = control.withLock { $0.descriptor }
            let bytes = Array("{\"command\":\"\(name)\"\(mark)}\n".utf8)
            if descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count { return }
            usleep(10_000)
        }
        throw BenchmarkFailure("the station's control socket \(socket) takes no command")
    }

    /// Returns when something holds; throws `TimedOut` when it doesn't within this many seconds, and another error when the station ends by
    /// itself.
    func wait(for what: String, limit: Double, _ holds: () throws -> Bool) throws {
        let deadline = Clock.now + limit
        while try !holds() {
            guard process.isRunning else { throw ended() }
            guard Clock.now < deadline else { throw TimedOut(what: what, seconds: limit) }
            usleep(2000)
        }
    }

    func ended() -> BenchmarkFailure {
        let status = end(SIGKILL).map(String.init) ?? "a signal"
        return BenchmarkFailure("the station ended by itself (\(status)): see its log with --keep")
    }

    /// Returns when all that it told has been written down.
    @discardableResult
    func end(_ signal: Int32) -> Int32? {
        let status = process.end(signal)
        trace.join()
        control.withLock { $0.reading }?.join()
        return status
    }
}
