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
    /// The number of streams has changed; `true`: the station has just come, and knows of none.
    private let changes: AsyncStream<Bool>
    private var telling: Task<Void, Never>?

    /// - Parameter news: of the first link, besides the hub.
    package init(
        path: String, version: String, streams: EventHub.Limits = .init(),
        previews limits: PreviewDesk.Limits = .init(),
        news: @escaping @Sendable (StationLink.News) -> Void = { _ in }
    ) {
        let (changes, change) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(8))
        self.changes = changes
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
            var told = 0
            for await isNew in changes {
                guard let self else { return }
                if isNew { told = 0 }
                told = await tellViewers(after: told)
            }
        }
        await withheld.link.start()
    }

    /// The station shows how many are watching. An older one that doesn't know this isn't asked again for nothing: the next change tells it.
    private func tellViewers(after told: Int) async -> Int {
        let count = viewers
        guard count != told else { return told }
        _ = try? await withheld.link.ask("hello", ["console": .string(version), "viewers": .integer(Int64(count))])
        return count
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
