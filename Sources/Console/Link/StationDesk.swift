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

    /// - Parameter news: of the first link, besides the hub.
    package init(
        path: String, version: String, streams: EventHub.Limits = .init(),
        previews limits: PreviewDesk.Limits = .init(),
        news: @escaping @Sendable (StationLink.News) -> Void = { _ in }
    ) {
        let withheld = Self.end(path, version, .withheld, streams, news)
        self.withheld = withheld
        revealed = Self.end(path, version, .revealed, streams) { _ in }
        previews = PreviewDesk(limits: limits) { try await withheld.link.ask("preview", $0) }
    }

    private static func end(
        _ path: String, _ version: String, _ secrets: StationLink.Secrets, _ limits: EventHub.Limits,
        _ news: @escaping @Sendable (StationLink.News) -> Void
    ) -> End {
        let hub = EventHub(limits: limits)
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

    package func start() async { await withheld.link.start() }

    package func stop() async {
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
