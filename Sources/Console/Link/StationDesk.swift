import Wire

/// The links to the station: one on which secrets are withheld, for everybody, and one on which they aren't, made when somebody comes who may
/// see them.
package actor StationDesk {
    package struct End: Sendable {
        package let link: StationLink
        package let hub: EventHub
        package let secrets: StationLink.Secrets
    }

    package nonisolated let withheld: End
    package nonisolated let previews: PreviewDesk
    private let revealed: End
    private var isRevealing = false
    private let version: String
    /// What the station should know has changed; `true`: the station has just come, and knows none of it.
    private let changes: AsyncStream<Bool>
    private let change: AsyncStream<Bool>.Continuation
    private var telling: Task<Void, Never>?
    private var page: Page?

    /// Where this console's page is, for the station's own people: `status`, `doctor`.
    package struct Page: Hashable, Sendable {
        package var port: Int
        package var isOnNetwork: Bool
    }

    /// What the station was told last.
    private struct Said: Hashable {
        var viewers = 0
        var page: Page?
    }

    /// - Parameter news: of the first link, besides the hub.
    package init(
        path: String, version: String, streams: EventHub.Limits = .init(),
        previews limits: PreviewDesk.Limits = .init(),
        news: @escaping @Sendable (StationLink.News) -> Void = { _ in }
    ) {
        let (changes, change) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(8))
        (self.changes, self.change) = (changes, change)
        self.version = version
        let withheld = Self.end(path, version, .withheld, streams, { change.yield(false) }) { item in
            if case .back = item { change.yield(true) }
            news(item)
        }
        self.withheld = withheld
        revealed = Self.end(path, version, .revealed, streams, { change.yield(false) }) { _ in }
        previews = PreviewDesk(limits: limits) { try await withheld.link.ask("preview", $0) }
    }

    private static func end(
        _ path: String, _ version: String, _ secrets: StationLink.Secrets, _ limits: EventHub.Limits,
        _ changed: @escaping @Sendable () -> Void, _ news: @escaping @Sendable (StationLink.News) -> Void
    ) -> End {
        let hub = EventHub(limits: limits, changed: changed)
        let link = StationLink(path: path, secrets: secrets, version: version) { item in
            switch item {
            case .event(let line): if hub.count > 0 { hub.publish(StreamEvent(line: line)) }
            case .away(let why): hub.publish(.away(why))
            case .back(let hello): hub.publish(.back(hello))
            }
            news(item)
        }
        return End(link: link, hub: hub, secrets: secrets)
    }

    package func start() async {
        let changes = changes
        telling = Task { [weak self] in
            var told = Said()
            for await isNew in changes {
                guard let self else { return }
                if isNew { told = Said() }
                told = await tell(after: told)
            }
        }
        await withheld.link.start()
    }

    package func setPage(_ page: Page) {
        guard page != self.page else { return }
        self.page = page
        change.yield(false)
    }

    /// The station shows how many are watching, and where. An older one that doesn't know this isn't asked again for nothing: the next change
    /// tells it.
    private func tell(after told: Said) async -> Said {
        let said = Said(viewers: viewers, page: page)
        guard said != told else { return told }
        var fields: [String: JSONValue] = ["console": .string(version), "viewers": .integer(Int64(said.viewers))]
        if let page {
            fields["port"] = .integer(Int64(page.port))
            fields["network"] = .bool(page.isOnNetwork)
        }
        _ = try? await withheld.link.ask("hello", fields)
        return said
    }

    package func stop() async {
        telling?.cancel()
        await withheld.link.stop()
        await revealed.link.stop()
    }

    /// The end for somebody with these scopes.
    package func end(for scopes: Set<Scope>) async -> End {
        guard scopes.contains(.manage) else { return withheld }
        if !isRevealing {
            isRevealing = true
            await revealed.link.start()
        }
        // The first time it takes a moment; if the other one is away, this one is, too.
        if case .here = await withheld.link.current { _ = await revealed.link.hello(within: .seconds(2)) }
        return revealed
    }

    /// How many pages have a stream open.
    package nonisolated var viewers: Int { withheld.hub.count + revealed.hub.count }

    package func endStreams(where isOver: @Sendable (Visitor.Kind) -> Bool) {
        withheld.hub.end(where: isOver)
        revealed.hub.end(where: isOver)
    }

    /// Shows every stream that it is alive.
    package nonisolated func beat() {
        withheld.hub.publish(.comment)
        revealed.hub.publish(.comment)
    }
}
