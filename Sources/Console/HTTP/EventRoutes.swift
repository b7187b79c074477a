import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

/// The stream of events (server-sent events). A stream that comes back says what it had last, and gets the scans since then first.
struct EventRoutes: Sendable {
    private let station: StationDesk
    private let gatekeeper: Gatekeeper
    /// Replays that run at once.
    private let replays = Slots(4)

    init(_ station: StationDesk, _ gatekeeper: Gatekeeper) { (self.station, self.gatekeeper) = (station, gatekeeper) }

    func stream(_ incoming: Incoming, _ visitor: Visitor) async throws(APIError) -> Response {
        let end = await station.end(for: visitor.scopes)
        let lastID = incoming.request.headers.first(Header.lastEventID).flatMap(StreamEvent.JournalPlace.init)
        let member: EventHub.Membership
        do throws(EventHub.Refusal) {
            member = EventHub.Membership(try end.hub.subscribe(visitor.kind), of: end.hub)
        } catch {
            throw APIError(
                429, "tooManyStreams", "too many pages and programs listen already: close some of them",
                fields: ["Retry-After": "10"])
        }
        let request = incoming.request
        let body = ResponseBody { [self, member] writer in
            let subscription = member.subscription
            // Not later, however long the response itself is kept.
            defer { end.hub.unsubscribe(subscription) }
            // Without this a client that goes away is noticed with the next event only.
            try await request.body.consumeWithInboundCloseHandler(
                { _ in try await write(subscription, end, lastID, visitor, to: &writer) },
                onInboundClosed: { subscription.end() })
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store", .connection: "close",
            ], body: body)
    }

    private func write(
        _ subscription: EventHub.Subscription, _ end: StationDesk.End, _ lastID: StreamEvent.JournalPlace?,
        _ visitor: Visitor,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        // The page is told to come back after 2 s; and at once that it is connected.
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
        if case .away(let why) = await end.link.current { try await writer.write(StreamEvent.away(why).buffer) }
        var told = lastID
        if let lastID {
            let missed = await replay(after: lastID, end)
            for scan in missed.scans { try await writer.write(scan.buffer) }
            if let place = missed.scans.last?.place { told = place }
            if let note = missed.note {
                let event: JSONValue = ["type": "error", "code": "resume", "message": .string(note)]
                try await writer.write(StreamEvent(type: "error", data: event.bytes).buffer)
            }
        }
        for await event in subscription.events {
            if let place = event.place, let told, place.journal == told.journal, place.seq <= told.seq { continue }
            if event.type.isEmpty, await !gatekeeper.isStillIn(visitor) { return }
            try await writer.write(event.buffer)
        }
    }

    private func replay(after place: StreamEvent.JournalPlace, _ end: StationDesk.End) async -> ScanReplay.Outcome {
        guard let slot = replays.take() else {
            return ScanReplay.Outcome(
                note: "too many pages ask for earlier scans at once: the page of scans has them all")
        }
        defer { withExtendedLifetime(slot) {} }
        return await ScanReplay.run(path: end.link.path, secrets: end.secrets, after: place)
    }
}
