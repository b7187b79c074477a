import Delivery
import Journal
import Linux
import Payloads
import Settings
import Vocabulary
import Wire

/// Scans with what became of them, and the outputs that they go to: what a console shows, and scans that it sends again.
///
/// Belongs to the station's actor.
struct ScanRecords {
    /// The most scans that one `scans` looks at, and the most bytes that it answers with; the next one goes on from there.
    private static let scansLookedAt = 2000
    private static let scansBytes = 1 << 20
    private static let scansPage = 250

    private let journal: any ScanJournal
    private let dispatcher: Dispatcher
    private let interpreter: PayloadInterpreter
    private let host: HostDesk
    private let voice: StationVoice

    init(_ parts: StationParts, host: HostDesk, voice: StationVoice) {
        (journal, dispatcher, interpreter) = (parts.journal, parts.dispatcher, parts.interpreter)
        (self.host, self.voice) = (host, voice)
    }

    /// Newest first. `before` in the reply is where to go on, if there is `more`, which may be with no scan found; `reached` is the time of the
    /// oldest scan looked at.
    nonisolated(nonsending) func scans(_ query: ScanQuery) async throws -> [String: JSONValue] {
        let report = await journal.report()
        let first = max(1, report.first)
        var end = min(query.before ?? .max, report.last &+ 1)
        var (found, bytes, looked): ([(Event, JSONValue)], Int, Int) = ([], 0, 0)
        var reached: Int64?
        var receipts: [UInt64: [JournalFile.Receipt]] = [:]
        reading: while end > first, looked < Self.scansLookedAt {
            let begin = max(first, end - min(end, UInt64(Self.scansPage)))
            let page = try await journal.scans(after: begin - 1, limit: Int(end - begin))
            if query.receipt != nil {
                let fitting = page.filter(query.fits).compactMap(\.scanSequence)
                receipts.merge(try await journal.receipts(of: fitting)) { $1 }
            }
            for event in page.reversed() {
                guard let sequence = event.scanSequence, sequence < end, sequence >= begin else { continue }
                end = sequence
                looked += 1
                reached = event.stamp.wallNanoseconds
                guard query.fits(event) else { continue }
                if let wanted = query.receipt,
                    receipts[sequence]?.contains(where: { $0.outcome.word == wanted.rawValue }) != true
                {
                    continue
                }
                let line = event.line(secrets: query.secrets)
                bytes += line.count
                found.append((event, (try? JSONValue(parsing: line)) ?? .null))
                if found.count == query.limit || bytes > Self.scansBytes { break reading }
            }
            end = begin
        }
        if query.receipt == nil { receipts = try await journal.receipts(of: found.compactMap(\.0.scanSequence)) }
        let answers = try await journal.answers(to: found.compactMap(\.0.scanSequence))
        return [
            "scans": .array(found.map { record($0.0, $0.1, receipts, answers) }), "more": .bool(end > first),
            "before": .integer(Int64(clamping: end)), "journal": .string(report.id),
            "reached": reached.map { .string(WallTime.rfc3339(nanoseconds: $0)) } ?? .null,
        ]
    }

    nonisolated(nonsending) func scan(_ id: String, secrets: SecretPolicy) async throws -> [String: JSONValue] {
        let event = try await kept(id)
        let receipts = try await journal.receipts(of: [event.scanSequence ?? 0])
        let answers = try await journal.answers(to: [event.scanSequence ?? 0])
        return ["scan": record(event, event.value(secrets: secrets), receipts, answers)]
    }

    private nonisolated(nonsending) func kept(_ id: String) async throws -> Event {
        guard let event = try await journal.scan(id: id) else {
            throw CommandRefusal("the journal has no scan with the id \(id) (any more)")
        }
        return event
    }

    private func record(
        _ event: Event, _ json: JSONValue, _ receipts: [UInt64: [JournalFile.Receipt]],
        _ answers: [UInt64: RecordedAnswer]
    ) -> JSONValue {
        guard case .object(var fields) = json else { return json }
        let sequence = event.scanSequence ?? 0
        fields["receipts"] = .array((receipts[sequence] ?? []).map(\.json))
        // The newest one may be on its way to the disk.
        let answer = event.scanID.flatMap { host.answer(to: $0) } ?? answers[sequence]
        fields["answer"] = answer?.json ?? .null
        return .object(fields)
    }

    // MARK: Outputs

    nonisolated(nonsending) func sendAgain(_ id: String, to output: String) async throws -> [String: JSONValue] {
        try dispatcher.deliver(try await kept(id), again: output)
        return ["scan": .string(id), "output": .string(output)]
    }

    /// A scan that says of itself that it is a test. Nobody keeps it, so an answer to it belongs to no scan and moves nothing.
    func testScan(of output: String, trigger: TriggerMode) throws -> [String: JSONValue] {
        let clock = voice.clock
        let now = clock.now
        let text = "SCANSTATION-TEST"
        let point = Point(x: 0.5, y: 0.5)
        let symbol = Symbol(
            symbology: .qrCode, aim: "]Q1", bytes: Array(text.utf8), text: text,
            corners: Quad(at: point))
        let id = UUIDv7(wallNanoseconds: clock.wallNanoseconds, random: .random(in: .min ... .max)).description
        let scan = Scan(
            id: id, sequence: 0, acceptedAt: now, trigger: trigger, session: 0, symbol: symbol, reads: 1,
            frame: FrameInfo(sequence: 0, exposedAt: now, deliveredAt: now), decodeTime: .zero)
        var body = ScanEvent(scan: scan, payload: interpreter.interpret(symbol))
        body.isTest = true
        try dispatcher.deliver(voice.event(.scan(body)), again: output)
        return ["scan": .string(id), "output": .string(output), "text": .string(text)]
    }

    /// - Parameter settings: of the outputs that run.
    nonisolated(nonsending) func outputList(_ settings: [OutputSettings]) async -> [String: JSONValue] {
        let report = await journal.report()
        let outputs = await dispatcher.reports()
        return [
            "journal": report.json,
            "outputs": .array(
                outputs.map { report in
                    guard case .object(var fields) = report.json else { return report.json }
                    fields["advice"] = OutputAdvice.text(report).map(JSONValue.string) ?? .null
                    let place = settings.first { $0.name == report.name }?.kind.settings.place
                    fields["place"] = place.map(JSONValue.string) ?? .null
                    return .object(fields)
                }),
            "kinds": .array(
                OutputSettings.kinds.map {
                    ["kind": .string($0.key), "what": .string($0.what), "starter": .string($0.starter)]
                }),
        ]
    }
}

extension JournalFile.Receipt {
    var json: JSONValue {
        var fields: [String: JSONValue] = [
            "output": .string(output), "outcome": .string(outcome.word), "reason": .null, "time": .null,
        ]
        if case .exception(_, let reason, let wallNanoseconds) = outcome {
            fields["reason"] = .string(reason)
            fields["time"] = .string(WallTime.rfc3339(nanoseconds: wallNanoseconds))
        }
        return .object(fields)
    }
}

extension JournalFile.Receipt.Outcome {
    /// As the console and the events call it.
    fileprivate var word: String {
        switch self {
        case .accepted: "accepted"
        case .pending: "waiting"
        case .forgotten: "forgotten"
        case .exception(let outcome, _, _): outcome.rawValue
        }
    }
}
