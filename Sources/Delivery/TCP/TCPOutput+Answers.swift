import Linux
import ScanCore
import Vocabulary
import Wire

/// What peers say: lines of JSON, or the bytes ACK and NAK.
extension TCPOutput {
    // MARK: Bytes

    func take(_ byte: UInt8, from peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        step(peer, .received(byte))
    }

    func step(_ peer: TCPPeer, _ event: AckLine.Event) {
        guard let actions = peer.line?.handle(event, at: Instant.now) else { return }
        for action in actions {
            switch action {
            // The record is on its way; there are no further transmissions.
            case .transmit, .foundPlace, .stale: break
            case .wakeAt(let instant):
                peer.lineTimer.map(loop.cancelTimer)
                let id = peer.id
                peer.lineTimer = instant.map { instant in
                    loop.setTimer(at: instant) {
                        self.assumeIsolated { output in output.peers[id].map { output.step($0, .timer) } }
                    }
                }
            case .finished(let outcome): conclude(outcome, peer)
            case .lostPlace:
                let message =
                    "it answers more often than it is asked, so its answers can't be told apart: the connection is closed, "
                    + "and begins again with nothing owed"
                figures.lastError = "\(peer.address): \(message)"
                close(peer, message)
            }
        }
    }

    private func conclude(_ outcome: AckLine.Outcome, _ peer: TCPPeer) {
        switch outcome {
        case .accepted:
            if let scan = scanUnderWay { tell(HostAnswer(output: name, scan: scan, isAccepted: true)) }
            finish(.accepted)
        case .refused:
            let reason = "\(peer.address) answered NAK"
            if let scan = scanUnderWay {
                tell(HostAnswer(output: name, scan: scan, isAccepted: false, reason: reason))
            }
            finish(.refused(reason: reason))
        case .silent:
            // Its late answer would be taken for the next scan's.
            let message = "no ACK within \(plan.settings.ackTimeout) (ackTimeout)"
            figures.lastError = "\(peer.address): \(message)"
            close(peer, message)
        }
    }

    // MARK: Lines

    func take(_ parts: [LineSplitter.Part], from peer: TCPPeer) {
        for part in parts {
            switch part {
            case .line(let line): peer.commands.append(line)
            case .overlong:
                dismiss(
                    peer, "a line is longer than \(limits.maxLineBytes) bytes (maxLineBytes): the connection is closed")
            }
        }
        runNext(peer)
    }

    private func runNext(_ peer: TCPPeer) {
        while peers[peer.id] != nil, !peer.isBusy, !peer.isClosing, !peer.commands.isEmpty {
            switch decoder.decode(peer.commands.removeFirst()) {
            case .failure(let error):
                peer.badLines += 1
                guard peer.badLines < limits.maxBadLines else {
                    dismiss(
                        peer,
                        "\(limits.maxBadLines) lines in a row were no commands (maxBadLines): the connection is closed")
                    return
                }
                send(error.reply.line(tag: error.tag), to: peer)
            case .success(let decoded):
                peer.badLines = 0
                carryOut(decoded, for: peer)
            }
        }
        updateInterest(peer)
    }

    /// Closes a peer once it was told why.
    private func dismiss(_ peer: TCPPeer, _ message: String) {
        figures.lastError = "\(peer.address): \(message)"
        peer.commands = []
        peer.isClosing = true
        send(Reply(command: "", error: message).line(), to: peer)
    }

    private func carryOut(_ decoded: DecodedCommand, for peer: TCPPeer) {
        let command: Command
        switch peer.ledger.resolve(decoded.command, at: answerClock()) {
        case .success(let resolved): command = resolved
        case .failure(let problem): return answer(decoded, problem.message, peer)
        }
        switch command {
        case .ack(let id): answer(decoded, settle(id, .accepted), peer)
        case .accept(let id?, _):
            // Late for the receipt is not too late for the answer.
            _ = settle(id, .accepted)
            forward(command, decoded.tag, for: peer)
        case .refuse(let id?, let reason):
            _ = settle(id, .refused(reason: reason ?? "the host refused it"))
            forward(command, decoded.tag, for: peer)
        case .subscribe(_, let after?, _):
            answer(
                decoded,
                "\"after\" \(after) is for the control socket and Unix sockets: here scans are sent until a client has taken them",
                peer)
        case .subscribe(let types, nil, _):
            peer.types = Set(types)
            let fields: [String: JSONValue] = ["types": .array(types.map(JSONValue.string))]
            send(Reply(command: command.name, fields: fields).line(tag: decoded.tag), to: peer)
        default:
            guard plan.settings.commands else {
                return answer(
                    decoded,
                    "this line takes ack, accept, refuse and subscribe only: set \(plan.place).commands to take others, or "
                        + "use the control socket", peer)
            }
            forward(command, decoded.tag, for: peer)
        }
    }

    /// The receipt for the scan under way; otherwise says why not.
    private func settle(_ id: String, _ receipt: Receipt) -> String? {
        guard plan.settings.receipt == .ack else { return nil }
        guard let scan = scanUnderWay, id == scan else {
            return "no scan \"\(id)\" waits for an answer here: it was settled, or is sent again"
        }
        finish(receipt)
        return nil
    }

    private func answer(_ decoded: DecodedCommand, _ problem: String?, _ peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        send(Reply(command: decoded.command.name, error: problem).line(tag: decoded.tag), to: peer)
    }

    private func forward(_ command: Command, _ tag: JSONValue?, for peer: TCPPeer) {
        peer.isBusy = true
        let id = peer.id
        Task { [handler] in
            let reply = await handler(command, id)
            self.forwarded(id, reply.line(tag: tag))
        }
    }

    private func forwarded(_ id: ClientID, _ line: [UInt8]) {
        guard let peer = peers[id] else { return }
        peer.isBusy = false
        send(line, to: peer)
        runNext(peer)
    }
}
