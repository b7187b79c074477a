import Capture
import Logging
import Peripherals
import Reading
import ScanCore
import Vocabulary
import Wire

/// What `ScanMachine` decided, performed in order.
extension Station {
    func apply(_ actions: [ScanMachine.Action]) {
        var accepted: [Event] = []
        for action in actions { perform(action, &accepted) }
        // Codes of one frame share one commit.
        if !accepted.isEmpty { keep(accepted) }
    }

    private func perform(_ action: ScanMachine.Action, _ accepted: inout [Event]) {
        switch action {
        case .startSession(let id, let trigger):
            counters.sessions += 1
            counters.figures.begin(session: id, at: clock.now, date: clock.date)
            focusRetry = FocusRetry()
            focus()
            let fields: [String: JSONValue] = ["session": .count(id), "trigger": .string(trigger.rawValue)]
            publish(state: "started", of: "session", fields: fields)
        case .endSession(let id, let outcome):
            count(outcome)
            let end = StateEvent(
                part: "session", state: "ended", reason: outcome.wireName, fields: ["session": .count(id)])
            tell(keeping: .follow(publisher.event(.state(end))))
        case .accept(let sighting):
            counters.figures.accept(session: sighting.session, at: clock.now, date: clock.date)
            accepted.append(event(of: sighting))
            tell(keeping: .accepted)
        case .noRead(let noRead):
            // The press was for the first password, and that has signals of its own.
            if !desk.firstPassword.isUnderWay { parts.feedback.play(.noRead) }
            // Otherwise something was read.
            let isUnread = noRead.reason == .timeout || noRead.reason == .released
            publish(.noRead(NoReadEvent(noRead, unread: isUnread ? unread.likeliest : nil)))
        case .awaitConfirmation(let symbol):
            parts.feedback.play(.awaitingConfirmation)
            publish(
                state: "waiting", of: "confirmation",
                fields: [
                    "symbology": .string(symbol.symbology.rawValue),
                    "text": shownText(of: symbol).map(JSONValue.string) ?? .null,
                ])
        case .confirmationEnded(let end):
            if end == .confirmed { counters.confirmed += 1 } else { counters.unconfirmed += 1 }
            publish(state: "ended", of: "confirmation", reason: end.rawValue)
        case .reading(let isOn, let effort):
            if !isOn { tell(unread: .stopped(at: clock.now)) }
            workers.reader.submit {
                await $0.setEffort(effort)
                await $0.setPaused(!isOn)
            }
            workers.torch.submit { if isOn { await $0.sessionStarted() } else { await $0.sessionEnded() } }
        case .pending(let isPending): workers.reader.submit { await $0.setPending(isPending) }
        case .camera(let demand): ask(demand)
        case .sightingAppeared, .sightingDisappeared: break
        case .wakeAt(let moment): wake(at: moment)
        }
    }

    /// For states, which are the same for every output and client: without the text of a code that contains a password or a secret.
    func shownText(of symbol: Symbol) -> String? {
        parts.interpreter.interpret(symbol).holdsSecret ? "(redacted)" : symbol.text
    }

    private func count(_ outcome: SessionOutcome) {
        switch outcome {
        case .scanned: break
        case .noRead(.timeout):
            counters.noReads += 1
            counters.figures.noRead(for: unread.likeliest?.cause, date: clock.date)
        case .noRead(.cameraLost): counters.closedFromError += 1
        case .noRead: counters.closedWithoutScan += 1
        }
    }

    /// The scan as it will be kept; its sequence comes from the journal. The light answers here, the beep when it is on disk.
    private func event(of sighting: AcceptedSighting) -> Event {
        parts.feedback.play(.read)
        let id = UUIDv7(wallNanoseconds: clock.wallNanoseconds, random: .random(in: .min ... .max)).description
        let scan = sighting.scan(id: id, sequence: 0)
        let payload = parts.interpreter.interpret(
            scan.symbol, currentYear: clock.isSynced ? clock.currentYear : nil)
        return publisher.event(.scan(ScanEvent(scan: scan, payload: payload)))
    }

    func ask(_ demand: CameraDemand) {
        let idleRate = settings.capture.idleFrameRate
        let isPaused = machine.isPaused
        workers.camera.submit { capture in
            switch demand {
            case .run:
                await capture.setFrameRate(nil)
                await capture.start()
            case .slow:
                await capture.setFrameRate(idleRate)
                await capture.start()
            case .stop: if isPaused { await capture.suspend() } else { await capture.stop() }
            }
        }
    }

    func focus() {
        guard settings.capture.focus.mode == .onTrigger else { return }
        workers.camera.submit { await $0.triggerAutofocus() }
    }
}
