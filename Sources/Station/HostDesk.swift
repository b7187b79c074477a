import Delivery
import Journal
import Logging
import Peripherals
import ScanCore
import Settings
import Vocabulary
import Wire

/// The host's own answers: the scans that it can name, which of them it still has to answer, the list that answers in its place, and what an
/// answer does: the second stage of the feedback, and the relay. `HostAnswerMachine` decides.
///
/// Belongs to the station's actor.
final class HostDesk {
    /// Scans that a command can name, newest last.
    static let scanLimit = 256

    private var machine: HostAnswerMachine
    private var timer = WakeTimer()
    /// Texts that count as accepted when no host answers; `nil` if there is no list.
    private var allowList: AllowList?
    private var scans: [ScanEvent] = []
    /// What was said about them, by the scans' ids: the journal has it a moment later.
    private var answers: [String: RecordedAnswer] = [:]

    /// See `StationOptions.relayPatience`.
    private let relayPatience: Duration
    private let devices: DeviceCommands
    private let feedback: FeedbackPlayer
    private let voice: StationVoice
    /// Writes down what was said, in its order.
    private let recorder: OrderedWorker<any ScanJournal>
    /// What became of scans, for the station's counters.
    private(set) var accepted: UInt64 = 0
    private(set) var refused: UInt64 = 0
    private(set) var unanswered: UInt64 = 0

    init(
        settings: HostSettings, relayPatience: Duration, journal: any ScanJournal, devices: DeviceCommands,
        feedback: FeedbackPlayer, voice: StationVoice
    ) {
        self.relayPatience = relayPatience
        machine = HostAnswerMachine(settings: settings)
        recorder = OrderedWorker(journal)
        (self.devices, self.feedback, self.voice) = (devices, feedback, voice)
    }

    /// Changes apply to scans and answers to come; another list applies once it is loaded.
    var settings: HostSettings {
        get { machine.settings }
        set { machine.settings = newValue }
    }

    var latest: ScanEvent? { scans.last }

    func find(_ id: String) -> ScanEvent? { scans.last { $0.scan.id == id } }

    /// The latest scan of this very code.
    func latest(of symbol: Symbol) -> ScanEvent? {
        scans.last { $0.scan.symbol.symbology == symbol.symbology && $0.scan.symbol.bytes == symbol.bytes }
    }

    /// What was said about a scan last.
    func answer(to scan: String) -> RecordedAnswer? { answers[scan] }

    /// Scans that can still be answered in time, oldest first.
    func open() -> [String] { machine.open(at: voice.clock.now) }

    /// No more calls.
    func stop() { timer.cancel() }

    /// Returns when all that was said is in the journal, or couldn't be written.
    func finishRecording(in station: isolated Station) async { await recorder.finish() }

    /// A scan was kept.
    func expectAnswer(to event: ScanEvent, in station: isolated Station) {
        if scans.count == Self.scanLimit { answers[scans.removeFirst().scan.id] = nil }
        scans.append(event)
        let scan = event.scan
        let isAllowed = allowList.map { list in scan.symbol.text.map(list.contains) ?? false }
        handle(.scan(id: scan.id, acceptedAt: scan.acceptedAt, isAllowed: isAllowed), in: station)
    }

    /// A refusal that is no verdict: the allow-list answers for none that may be meant.
    func take(_ objection: HostObjection, in station: isolated Station) {
        if allowList != nil {
            voice.note(
                .debug, kind: "host",
                "\(objection.output) refuses, and no single scan is meant for certain: the allow-list answers for none that may be"
            )
        }
        handle(.objection(scans: objection.scans), in: station)
    }

    /// An answer whose sender doesn't wait to hear what became of it: ACK bytes, bodies of web servers.
    func take(_ answer: HostAnswer, in station: isolated Station) { _ = handle(answer, in: station) }

    /// An answer whose sender hears what became of it: throws why it didn't have its effect.
    func answer(_ answer: HostAnswer, in station: isolated Station) async throws -> [String: JSONValue] {
        let (outcome, pulse) = handle(answer, in: station)
        switch outcome {
        case .counted(nil), nil: return ["relay": .bool(false)]
        case .counted:
            if let problem = await pulse?.value {
                throw CommandRefusal("the scan is accepted, but the relay didn't move: \(problem)")
            }
            return ["relay": .bool(true)]
        case .repeated: return ["relay": .bool(false), "repeated": .bool(true)]
        case .late(let after, let timeout):
            throw CommandRefusal(
                "too late: it came \(DurationText.text(.milliseconds(Int64(after.milliseconds)))) after the scan, and host.timeout is \(DurationText.text(timeout)). It is on record, but the "
                    + "relay doesn't move")
        case .contradicts(let first):
            throw CommandRefusal(
                "\(first) \(answer.isAccepted ? "refused" : "accepted") it before: the first answer counts")
        case .unknown: throw CommandRefusal("the scan \(answer.scan) can't be answered any more: it is too old")
        }
    }

    /// What became of it, with the outcome of the relay's pulse if there is one: `nil`, or what was wrong.
    private func handle(
        _ answer: HostAnswer, in station: isolated Station
    ) -> (HostAnswerMachine.Outcome?, pulse: Task<String?, Never>?) {
        handle(
            .answer(
                scan: answer.scan, isAccepted: answer.isAccepted, reason: answer.reason, relay: answer.relay,
                by: answer.output),
            in: station, answering: answer.scan)
    }

    @discardableResult
    private func handle(
        _ event: HostAnswerMachine.Event, in station: isolated Station, answering answered: String? = nil
    ) -> (HostAnswerMachine.Outcome?, pulse: Task<String?, Never>?) {
        var outcome: HostAnswerMachine.Outcome?
        var pulse: Task<String?, Never>?
        for action in machine.handle(event, at: voice.clock.now) {
            switch action {
            case .accepted(let scan, let by, let relay, let isLate):
                accepted += 1
                feedback.play(.accepted)
                guard let relay else {
                    tell(scan, .accepted, by: by, isLate: isLate)
                    continue
                }
                let moving = self.pulse(relay, for: scan, by: by, in: station)
                if scan == answered { pulse = moving }
                // Sent once it is known whether the relay moved.
                Task {
                    let problem = await moving.value
                    _ = station
                    tell(scan, .accepted, by: by, isLate: isLate, relay: problem == nil)
                }
            case .refused(let scan, let reason, let by, let isLate):
                refused += 1
                feedback.play(.refused)
                tell(scan, .refused, by: by, reason: reason, isLate: isLate)
            case .unanswered(let scan):
                unanswered += 1
                feedback.play(.refused)
                tell(scan, .none)
            case .contradicted(let scan, let isAccepted, let by, let first):
                let text =
                    "\(by) \(isAccepted ? "accepts" : "refuses") scan \(scan), which \(first) answered before: ignored"
                voice.note(.warning, kind: "host", text)
            case .unknown(let scan, let by):
                // If no host is asked, this is an output's receipt for a scan from long ago: nothing to warn about.
                voice.note(
                    settings.expectsAnswer ? .warning : .debug, kind: "host",
                    "\(by) answers scan \(scan), which isn't known (any more)")
            case .reply(let reply): outcome = reply
            case .wakeAt(let moment):
                timer.set(at: moment, in: station) { _ = $0.host.handle(.tick, in: $0) }
            }
        }
        return (outcome, pulse)
    }

    private func tell(
        _ id: String, _ verdict: AnswerEvent.Verdict, by: String? = nil, reason: String? = nil, isLate: Bool = false,
        relay: Bool = false
    ) {
        let answer = AnswerEvent(
            scan: id, sequence: find(id)?.scan.sequence ?? 0, verdict: verdict, by: by, reason: reason,
            isLate: isLate, relay: relay)
        if find(id) != nil { record(answer) }
        voice.publish(.answer(answer))
    }

    private func record(_ answer: AnswerEvent) {
        let said = RecordedAnswer(answer, wallNanoseconds: voice.clock.wallNanoseconds)
        answers[answer.scan] = said
        let isTaken = recorder.submit { [voice] journal in
            do throws(JournalError) {
                try await journal.record(said)
            } catch {
                voice.note(
                    .warning, kind: "host", "what was said about scan \(answer.scan) isn't on record: \(error.message)")
            }
        }
        guard !isTaken else { return }
        voice.note(
            .warning, kind: "host",
            "what was said about scan \(answer.scan) isn't on record: the disk doesn't keep up")
    }

    /// `nil`, or what was wrong.
    private func pulse(
        _ pulse: HostAnswerMachine.Pulse, for scan: String, by: String, in station: isolated Station
    ) -> Task<String?, Never> {
        let length: Duration? = if case .lasting(let length) = pulse { length } else { nil }
        // A machine that stands still between the decision and the line must not open a door when it goes on.
        let latest = voice.clock.now.advanced(by: relayPatience)
        return Task { [devices, voice] in
            _ = station
            do {
                try await devices.pulseRelay(length) { voice.clock.now <= latest }
                return nil
            } catch {
                let text = "\(by) asked for the relay with its answer to scan \(scan): \(error)"
                voice.complain("relay", "notPulsed", text, kind: "host")
                return "\(error)"
            }
        }
    }

    /// Reads `host.allowList` again. If it can't be read, that is reported, and nothing is allowed.
    func loadAllowList() {
        allowList = nil
        guard let path = settings.allowList else { return }
        do throws(DeliveryError) {
            let list = try AllowList(path: path)
            allowList = list
            voice.note(.info, kind: "host", "the allow-list \(path) has \(list.count) texts")
        } catch {
            voice.complain("host", "allowList", error.message)
        }
    }
}
