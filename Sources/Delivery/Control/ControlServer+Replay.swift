import Journal
import Wire

/// `subscribe`: what a client wants, and scans of the journal that it missed.
///
/// ```
///              subscribe after n                    the journal has no more, and nothing newer was sent out
///   live ──────────────────────────▶ reading up ─────────────────────────────────────────────────────────▶ live, from
///                                     │     ▲      a chunk of the journal, when its queue is half empty      its position
///                                     └─────┘
/// ```
/// Scans that come while it reads up are in the journal too, and reach it that way; its position says which ones it has. So
/// there is neither gap nor repeat. Other events come as they happen.
extension ControlServer {
    func subscribe(
        _ client: ClientConnection, types: [String], after: UInt64?, journal known: String?, tag: JSONValue?
    ) {
        let id = client.id
        guard let journal else {
            guard after == nil, known == nil else {
                let message =
                    "subscribe: there is no journal to read \"after\" from: leave it out for scans as they come"
                return later(id, Reply(command: "subscribe", error: message).line(tag: tag))
            }
            client.types = Set(types)
            countAudience()
            return later(id, Reply(command: "subscribe", fields: Self.fields(types)).line(tag: tag))
        }
        Task {
            let report = await journal.report()
            guard let client = self.clients[id] else { return }
            if let problem = Self.problem(after: after, journal: known, in: report) {
                return self.finish(id, Reply(command: "subscribe", error: "subscribe: \(problem)").line(tag: tag))
            }
            var fields = Self.fields(types)
            fields["journal"] = .string(report.id)
            fields["first"] = .integer(Int64(clamping: report.first))
            fields["last"] = .integer(Int64(clamping: report.last))
            client.types = Set(types)
            client.followsJournal = after != nil || known != nil
            if let after {
                let missed = report.first > after ? report.first - after - 1 : 0
                fields["missed"] = .integer(Int64(clamping: missed))
                client.position = after
                client.replay = client.watch == nil ? nil : ClientConnection.Replay(number: self.nextReplay)
                self.nextReplay += 1
            }
            self.countAudience()
            // The reply comes before the first scan.
            self.finish(id, Reply(command: "subscribe", fields: fields).line(tag: tag))
            self.continueReplay(client)
        }
    }

    /// Answers in a turn of its own, as the other commands are: `runNext`, which called, goes on afterwards.
    private func later(_ id: ClientID, _ line: [UInt8]) {
        loop.execute { self.assumeIsolated { $0.finish(id, line) } }
    }

    private static func fields(_ types: [String]) -> [String: JSONValue] {
        ["types": .array(types.map(JSONValue.string))]
    }

    private static func problem(after: UInt64?, journal: String?, in report: JournalReport) -> String? {
        guard after != nil || journal != nil else { return nil }
        guard !report.id.isEmpty else {
            return
                "the journal isn't open (\(report.state.detail ?? report.state.name)): try again when it is, or leave "
                + "\"after\" and \"journal\" out for scans as they come"
        }
        if let journal, journal != report.id {
            return
                "the journal is \"\(report.id)\" now, not \"\(journal)\", and sequences of that one mean nothing in it: "
                + "subscribe with \"journal\":\"\(report.id)\" and \"after\":0 for everything in it"
        }
        if let after, after > report.last {
            return "\"after\" is \(after), but the journal \"\(report.id)\" goes only up to \(report.last): was it of "
                + "another journal? Subscribe with \"after\":0 for everything in it"
        }
        return nil
    }

    /// Clients that are behind and get what they missed.
    var clientsReadingUp: Int { clients.values.count { $0.replay != nil } }

    /// Asks the journal for more if the client reads up and has room.
    func continueReplay(_ client: ClientConnection) {
        guard let journal, let replay = client.replay, !replay.isWaiting, let position = client.position else { return }
        // A replay fills no more than half of the queue: the other half is for events as they come.
        let room = settings.clientQueue / 4
        guard client.outgoing.count <= room, client.outgoing.bytes <= limits.clientBytes / 4 else { return }
        client.replay?.isWaiting = true
        let id = client.id
        let chunk = max(1, min(limits.replayChunk, room))
        // What was sent out by now is in the journal, unless the journal dropped it.
        let end = published
        Task {
            do throws(JournalError) {
                let scans = try await journal.scans(after: position, limit: chunk)
                self.take(scans, of: replay.number, for: id, end: end)
            } catch {
                // Giving up would be a gap, and closing would only bring the client back: it waits, as the journal does.
                _ = self.loop.setTimer(at: EventLoop.now().advanced(by: self.limits.replayPause)) {
                    self.assumeIsolated { $0.take(nil, of: replay.number, for: id, end: end) }
                }
            }
        }
    }

    /// `scans`: the next ones of the journal, none at its end; `nil`: it has to be asked again.
    private func take(_ scans: [Event]?, of replay: UInt64, for id: ClientID, end: UInt64) {
        guard let client = clients[id], client.replay?.number == replay, let position = client.position else { return }
        for event in scans ?? [] {
            guard let sequence = event.scanSequence, clients[id] != nil else { continue }
            client.position = sequence
            if client.wants(event.type) { send(event.line(secrets: secrets), of: event, to: client) }
        }
        if scans?.isEmpty == true {
            client.position = max(position, end)
            if published <= max(position, end) { client.replay = nil }
        }
        client.replay?.isWaiting = false
        continueReplay(client)
        settle(client)
    }
}
