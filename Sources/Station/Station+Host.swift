import Delivery
import Logging
import Peripherals
import ScanCore
import Vocabulary
import Wire

/// The host's own answers: the second stage of the feedback, and the relay.
extension Station {
    func expectAnswer(to event: ScanEvent) { perform(host.expectAnswer(to: event, at: clock.now)) }

    /// An answer whose sender doesn't wait to hear what became of it: ACK bytes, bodies of web servers.
    func handle(_ answer: HostAnswer) { _ = take(answer) }

    /// An answer whose sender hears what became of it: throws why it didn't have its effect.
    func answer(_ answer: HostAnswer) async throws -> [String: JSONValue] {
        let (outcome, pulse) = take(answer)
        switch outcome {
        case .counted(nil), nil: return ["relay": .bool(false)]
        case .counted:
            if let problem = await pulse?.value {
                throw CommandRefusal("the scan is accepted, but the relay didn't move: \(problem)")
            }
            return ["relay": .bool(true)]
        case .repeated: return ["relay": .bool(false), "repeated": .bool(true)]
        case .late(let after, let timeout):
            let seconds = (after.milliseconds / 100).rounded() / 10
            throw CommandRefusal(
                "too late: it came \(seconds) s after the scan, and host.timeout is \(timeout). It is on record, but the "
                    + "relay doesn't move")
        case .contradicts(let first):
            throw CommandRefusal(
                "\(first) \(answer.isAccepted ? "refused" : "accepted") it before: the first answer counts")
        case .unknown: throw CommandRefusal("the scan \(answer.scan) can't be answered any more: it is too old")
        }
    }

    /// What became of it, with the outcome of the relay's pulse if there is one: `nil`, or what was wrong.
    private func take(_ answer: HostAnswer) -> (HostAnswerMachine.Outcome?, pulse: Task<String?, Never>?) {
        perform(host.take(answer, at: clock.now), answering: answer.scan)
    }

    @discardableResult
    private func perform(
        _ actions: [HostAnswerMachine.Action], answering answered: String? = nil
    ) -> (HostAnswerMachine.Outcome?, pulse: Task<String?, Never>?) {
        var outcome: HostAnswerMachine.Outcome?
        var pulse: Task<String?, Never>?
        for action in actions {
            switch action {
            case .accepted(let scan, let by, let relay, let isLate):
                counters.accepted += 1
                parts.feedback.play(.accepted)
                guard let relay else {
                    tell(scan, .accepted, by: by, isLate: isLate)
                    continue
                }
                let moving = self.pulse(relay, for: scan, by: by)
                if scan == answered { pulse = moving }
                // Sent once it is known whether the relay moved.
                Task {
                    let problem = await moving.value
                    tell(scan, .accepted, by: by, isLate: isLate, relay: problem == nil)
                }
            case .refused(let scan, let reason, let by, let isLate):
                counters.refused += 1
                parts.feedback.play(.refused)
                tell(scan, .refused, by: by, reason: reason, isLate: isLate)
            case .unanswered(let scan):
                counters.unanswered += 1
                parts.feedback.play(.refused)
                tell(scan, .none)
            case .contradicted(let scan, let isAccepted, let by, let first):
                let text =
                    "\(by) \(isAccepted ? "accepts" : "refuses") scan \(scan), which \(first) answered before: ignored"
                note(.warning, kind: "host", text)
            case .unknown(let scan, let by):
                // If no host is asked, this is an output's receipt for a scan from long ago: nothing to warn about.
                note(
                    settings.host.expectsAnswer ? .warning : .debug, kind: "host",
                    "\(by) answers scan \(scan), which isn't known (any more)")
            case .reply(let reply): outcome = reply
            case .wakeAt(let moment):
                host.wake(at: moment, now: clock.now) { [weak self] in await self?.hostTimerRang() }
            }
        }
        return (outcome, pulse)
    }

    private func hostTimerRang() { perform(host.timerRang(at: clock.now)) }

    private func tell(
        _ id: String, _ verdict: AnswerEvent.Verdict, by: String? = nil, reason: String? = nil, isLate: Bool = false,
        relay: Bool = false
    ) {
        let answer = AnswerEvent(
            scan: id, sequence: host.find(id)?.scan.sequence ?? 0, verdict: verdict, by: by, reason: reason,
            isLate: isLate, relay: relay)
        host.note(answer)
        publish(.answer(answer))
    }

    /// `nil`, or what was wrong.
    private func pulse(_ pulse: HostAnswerMachine.Pulse, for scan: String, by: String) -> Task<String?, Never> {
        let length: Duration? = if case .lasting(let length) = pulse { length } else { nil }
        return Task {
            do {
                try await pulseRelay(length)
                return nil
            } catch {
                let text = "\(by) asked for the relay with its answer to scan \(scan): \(error)"
                complain("relay", "notPulsed", text, kind: "host")
                return "\(error)"
            }
        }
    }

    /// Reads `host.allowList` again. Without a readable list nothing is allowed.
    func loadAllowList() {
        do throws(DeliveryError) {
            guard let list = try host.loadAllowList() else { return }
            note(.info, kind: "host", "the allow-list \(list.path) has \(list.count) texts")
        } catch {
            complain("host", "allowList", error.message)
        }
    }
}
