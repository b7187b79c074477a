import Foundation
import ScanCore
import Synchronization
import Vocabulary

/// A door: hosts on a serial line, TCP, a Unix socket and a broker that are slow, silent, wrong, or answer twice, a broker that hangs, and
/// a station that is killed at random instants. The relay must not move for a scan that the host didn't accept in time.
struct DoorTest {
    /// `host.timeout`.
    static let timeout: Duration = .seconds(1)
    /// After which an output sends a scan again.
    static let ackTimeout: Duration = .milliseconds(150)
    /// The serial line's `answerLimit`, and TCP's; the host's promise, with much to spare for a busy machine.
    static let answerLimit: Duration = .seconds(2)
    /// Seconds within which a byte answers its record, or never.
    static let promise = 0.8
    /// Seconds that a slow host takes.
    static let delay = 0.1...0.5

    /// With each output.
    var kills = 200
    /// Lost and delayed answers, at least, on each output.
    var troubles = 200
    var seed: UInt64 = 1
    var rule = OfferLedger.Rule.everyOffer
    var keepsFolder = false

    private static let gapMilliseconds = 120
    private static let outputs = ["serial", "tcp", "unix", "mqtt"]
    /// Which outputs a run has; runs take turns, because the first answer counts, and where bytes answer, a station that was just killed asks last.
    private static let turns = [["serial"], ["tcp"], ["unix"], outputs]
    private static let scanSeconds = 0.0...3.0
    /// After a kill, an output that is answered by bytes waits for `answerLimit` before it asks its host, so alone it gets that much more time.
    private static let byteScanSeconds = 0.0...5.0
    private static let answeredByBytes = [["serial"], ["tcp"]]

    func run() -> StressVerdict { StressVerdict.of("door", measure) }

    private func measure() throws -> Bool {
        // A peer that is killed while it is written to.
        signal(SIGPIPE, SIG_IGN)
        let scratch = try ScratchFolder("door")
        defer { if keepsFolder { scratch.keep() } }
        let record = DoorRecord()
        var random = SplitMix(seed: seed)
        let broker = try Broker(folder: scratch.path, topic: StressStationCommand.topic + "/scan")
        try broker.start()
        let serial = try SerialDoor(device: scratch.path + "/serial", seed: random.next(), record: record)
        let tcp = try TCPDoor(seed: random.next(), record: record)
        let unix = UnixDoor(path: scratch.path + "/door.sock", seed: random.next(), record: record)
        let mqtt = try BrokerDoor(broker, folder: scratch.path, seed: random.next(), record: record)
        defer {
            serial.end()
            tcp.end()
            unix.end()
            mqtt.end()
            broker.stall(false)
            broker.end()
        }
        let staller = Saboteur(
            seed: random.next(), whole: 1...4, broken: 0.2...2, break: { broker.stall(true) },
            mend: { broker.stall(false) })
        let began = Clock.now
        let ledger = StationLedger()
        let arguments = [
            "--state", scratch.path + "/state", "--door", "--gap-milliseconds", String(Self.gapMilliseconds),
            "--answers", rule.rawValue,
        ]
        let ofOutput = [
            "serial": ["--serial", serial.device], "tcp": ["--tcp-port", String(tcp.port)],
            "unix": ["--unix", unix.path], "mqtt": ["--mqtt-port", String(broker.port)],
        ]
        var killed: [String: Int] = [:]
        do {
            var number = 0
            while Self.outputs.contains(where: { killed[$0, default: 0] < kills || lacks($0, ledger.now, record.now) })
            {
                // The verdict says what is missing.
                guard number < 8 * kills + 100 else { break }
                let outputs = Self.turns[number % Self.turns.count]
                number += 1
                for output in outputs { killed[output, default: 0] += 1 }
                let before = ledger.keptCount
                let run = try StationRun(
                    folder: scratch.path, arguments: arguments + outputs.flatMap { ofOutput[$0] ?? [] }, ledger: ledger)
                try run.wait(for: "the station scans", limit: 120) { ledger.keptCount > before }
                if outputs == ["unix"], unix.crossings == 0 {
                    // Only then may it be killed: the mutation is found by this, and not by a kill that leaves it time for it.
                    try run.wait(for: "an answer crosses the next scan", limit: 120) { unix.crossings > 0 }
                    try run.settle()
                }
                let seconds = Self.answeredByBytes.contains(outputs) ? Self.byteScanSeconds : Self.scanSeconds
                usleep(UInt32(random.seconds(in: seconds) * 1e6))
                guard run.process.isRunning else { throw run.ended() }
                run.end(SIGKILL)
                if number.isMultiple(of: 20) {
                    say("  \(number) kills, \(ledger.keptCount) scans, \(Int(Clock.now - began)) s")
                }
                if rule != .everyOffer, !problems(ledger.now, record.now).isEmpty { break }
            }
            say(
                "\(number) kills (seed \(seed), answers \(rule.rawValue)) in \(Int(Clock.now - began)) s; "
                    + "\(unix.crossings) answers crossed the next scan")
        } catch {
            try? staller.stop()
            throw error
        }
        try staller.stop()
        return try judge(ledger.now, record.now, killed)
    }

    /// Whether this output hasn't been tested enough: it saw too few slow answers, or never opened the door, which proves nothing.
    private func lacks(
        _ output: String, _ told: StationLedger.Contents, _ said: [String: DoorRecord.Said]
    ) -> Bool {
        (said[output]?.troubles ?? 0) < troubles || !told.answers.contains { $0.relay && $0.by == output }
    }

    private func judge(
        _ told: StationLedger.Contents, _ said: [String: DoorRecord.Said], _ killed: [String: Int]
    ) throws -> Bool {
        let moved = told.answers.filter(\.relay)
        say(
            "\(told.kept.count) scans, \(told.answers.count { $0.verdict == "accepted" }) accepted (\(told.answers.count(where: \.isLate)) "
                + "late), the relay moved for \(moved.count) (\(told.pulses) pulses with those whose event a kill cut off)"
        )
        for output in Self.outputs {
            let turns = said[output]?.turns ?? [:]
            let text = DoorTurn.allCases.map { "\($0.rawValue) \(turns[$0, default: 0])" }.joined(separator: ", ")
            say(
                "\(output), \(killed[output, default: 0]) kills: \(text); it opened the door "
                    + "\(moved.count { $0.by == output }) times")
        }
        let problems = problems(told, said)
        for problem in problems.prefix(10) { say("FAILED  \(problem)") }
        if problems.count > 10 { say("FAILED  and \(problems.count - 10) more") }
        guard problems.isEmpty else { return false }
        let lacking = Self.outputs.filter { lacks($0, told, said) }
        guard lacking.isEmpty else {
            throw BenchmarkFailure(
                "\(lacking.joined(separator: ", ")): fewer than \(troubles) slow answers, or none that opened the door")
        }
        say("ok    the relay moved for no scan that the host didn't accept within its time")
        return true
    }

    /// What the host said about this scan at any time, relative to the answer that the station reported.
    private func saidOtherwise(_ answer: AnswerTold, _ host: DoorRecord.Said?) -> String {
        func milliseconds(_ at: Double) -> String { "at \(Int((at - answer.at) * 1000)) ms" }
        if let at = host?.accepted[answer.scan] { return "accepted it \(milliseconds(at))" }
        if let at = host?.refused[answer.scan] { return "refused it \(milliseconds(at))" }
        return "never answered it"
    }

    /// Compares each answer that the station reported with what that very host had said by then.
    private func problems(_ told: StationLedger.Contents, _ said: [String: DoorRecord.Said]) -> [String] {
        var problems: [String] = []
        let timeout = Double(Self.timeout.components.seconds)
        for answer in told.answers where answer.verdict != "none" {
            let host = said[answer.by]
            let isAccepted = answer.verdict == "accepted"
            let words = isAccepted ? host?.accepted : host?.refused
            guard let saidAt = words?[answer.scan], saidAt <= answer.at else {
                problems.append(
                    "scan \(answer.scan) counts as \(answer.verdict) by \(answer.by), which \(saidOtherwise(answer, host)) "
                        + "(\(Int((answer.at - (told.keptAt[answer.scan] ?? answer.at)) * 1000)) ms after it was kept)"
                        + (answer.relay ? ": the relay moved" : ""))
                continue
            }
            guard answer.relay else { continue }
            if let keptAt = told.keptAt[answer.scan], saidAt - keptAt > timeout {
                problems.append("the relay moved for scan \(answer.scan), which \(answer.by) accepted too late")
            }
        }
        return problems
    }
}

extension DoorRecord.Said {
    var troubles: Int { turns[.lost, default: 0] + turns[.delayed, default: 0] }
}
