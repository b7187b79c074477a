import Delivery
import Logging
import Peripherals
import ScanCore
import Wire

/// The host's own answers: the second stage of the feedback, and the relay.
extension Station {
    func expectAnswer(to event: ScanEvent) {
        let scan = event.scan
        let isAllowed = allowList.map { list in scan.symbol.text.map(list.contains) ?? false }
        perform(
            hostAnswers.handle(.scan(id: scan.id, acceptedAt: scan.acceptedAt, isAllowed: isAllowed), at: clock.now))
    }

    func handle(_ answer: HostAnswer) {
        perform(
            hostAnswers.handle(
                .answer(
                    scan: answer.scan, isAccepted: answer.isAccepted, reason: answer.reason, relay: answer.relay,
                    by: answer.output),
                at: clock.now))
    }

    private func perform(_ actions: [HostAnswerMachine.Action]) {
        for action in actions {
            switch action {
            case .accepted(let scan, let by, let relay, let isLate):
                counters.accepted += 1
                parts.feedback.play(.accepted)
                if let relay { pulse(relay, for: scan, by: by) }
                tell(scan, .accepted, by: by, isLate: isLate, relay: relay != nil)
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
                log.write(.warning, kind: "host", text, at: clock.now)
            case .unknown(let scan, let by):
                let text =
                    "\(by) answers \(scan.map { "scan \($0)" } ?? "the latest scan"), which isn't known (any more)"
                log.write(.warning, kind: "host", text, at: clock.now)
            case .wakeAt(let moment):
                hostTimer.set(at: moment, now: clock.now) { [weak self] in await self?.hostTimerRang() }
            }
        }
    }

    private func hostTimerRang() { perform(hostAnswers.handle(.tick, at: clock.now)) }

    private func tell(
        _ id: String, _ verdict: AnswerEvent.Verdict, by: String? = nil, reason: String? = nil, isLate: Bool = false,
        relay: Bool = false
    ) {
        publish(
            .answer(
                AnswerEvent(
                    scan: id, sequence: latest.find(id: id)?.scan.sequence ?? 0, verdict: verdict, by: by,
                    reason: reason, isLate: isLate, relay: relay)))
    }

    private func pulse(_ pulse: HostAnswerMachine.Pulse, for scan: String, by: String) {
        let length: Duration? = if case .lasting(let length) = pulse { length } else { nil }
        Task {
            do {
                _ = try await pulseRelay(length)
            } catch {
                let text = "\(by) asked for the relay with its answer to scan \(scan): \(error)"
                log.write(.error, kind: "host", text, at: clock.now)
                publish(.error(ErrorEvent(part: "relay", code: "notPulsed", message: text)))
            }
        }
    }

    /// Reads `host.allowList` anew. Without a readable list nothing is allowed.
    func loadAllowList() {
        allowList = nil
        guard let path = settings.host.allowList else { return }
        do throws(DeliveryError) {
            let list = try AllowList(path: path)
            allowList = list
            log.write(.info, kind: "host", "the allow-list \(path) has \(list.count) texts", at: clock.now)
        } catch {
            log.write(.error, kind: "host", error.message, at: clock.now)
            publish(.error(ErrorEvent(part: "host", code: "allowList", message: error.message)))
        }
    }
}
