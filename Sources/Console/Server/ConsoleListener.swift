import Glibc
import HummingbirdCore
import Linux
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Listens, and listens elsewhere when the plan changes. Requests that are under way on the old address are finished there.
package actor ConsoleListener {
    /// How many ports are tried if the wanted one is taken, itself included.
    static let ports = 20

    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    private let group: MultiThreadedEventLoopGroup
    private let api: ConsoleAPI
    package nonisolated let connections: ConnectionDesk
    private let limits: ConnectionMachine.Limits
    private let logger = Logger(label: "console") { _ in SwiftLogNoOpLogHandler() }
    private var plan: ListenPlan?
    private var listening: (channel: any Channel, server: Server<ConsoleChannel>, task: Task<Void, Never>)?
    package private(set) var port = 0
    /// How often it has begun to listen. In between, connections are refused for a moment.
    package private(set) var openings = 0

    package init(
        api: ConsoleAPI, connections: ConnectionTable.Limits = .init(), limits: ConnectionMachine.Limits = .init()
    ) {
        self.api = api
        self.limits = limits
        self.connections = ConnectionDesk(limits: connections)
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// Where it listens now.
    package var current: ListenPlan? { plan }

    /// Listens where the plan says. Where it listens there already, nobody is refused meanwhile.
    /// - Parameter mayMove: whether another port may be taken.
    /// - Throws: that it can't listen there; it then listens where it did before.
    package func listen(_ plan: ListenPlan, mayMove: Bool) async throws(Failure) {
        let before = self.plan
        guard before?.hosts != plan.hosts || before?.port != plan.port else {
            self.plan = plan
            return
        }
        // Once pages have this port, it stays theirs.
        let (old, kept) = (port, before?.port == plan.port && port != 0 ? port : plan.port)
        await stopListening()
        do throws(Failure) {
            try await open(plan, at: kept..<(kept + (mayMove ? Self.ports : 1)))
        } catch {
            if let before { try? await open(before, at: old..<(old + 1)) }
            throw error
        }
    }

    private func open(_ plan: ListenPlan, at ports: Range<Int>) async throws(Failure) {
        var first: String?
        for port in ports where (0...65_535).contains(port) {
            for host in plan.hosts {
                do {
                    try await open(host, port)
                    self.plan = plan
                    return
                } catch {
                    first = first ?? ((error as? IOError).map { SystemError($0.errnoCode).text } ?? "\(error)")
                }
            }
        }
        throw Failure(
            description:
                "the console can't listen on \(plan.hosts.first ?? "?") port \(plan.port): \(first ?? "no port is free"). "
                + "Give it another port by `console.port` of the station's configuration, or end what has this one")
    }

    /// How many connections may wait until they are accepted. When there are more the kernel drops what comes, the owner's too, whose browser tries
    /// again only after a second. The kernel's own limit (`net.core.somaxconn`) is the same by default.
    private static let backlog = 4096

    private func open(_ host: String, _ port: Int) async throws {
        let api = api
        let channel = ConsoleChannel(desk: connections, limits: limits) { request, writer, channel in
            try await api.respond(request, writer, channel)
        }
        let (started, start) = AsyncThrowingStream<any Channel, any Error>.makeStream()
        let server = Server(
            childChannelSetup: channel,
            configuration: .init(
                address: .hostname(host, port: port), serverName: nil, backlog: Self.backlog, reuseAddress: true),
            onServerRunning: { start.yield($0) }, eventLoopGroup: group, logger: logger)
        let task = Task {
            do {
                try await server.run()
                start.finish()
            } catch { start.finish(throwing: error) }
        }
        for try await channel in started {
            listening = (channel, server, task)
            openings += 1
            self.port = channel.localAddress?.port ?? port
            return
        }
        throw Failure(description: "it ended at once")
    }

    /// Closes the listening socket; what is under way goes on.
    private func stopListening() async {
        guard let (channel, server, _) = listening else { return }
        listening = nil
        plan = nil
        Task { try? await server.shutdownGracefully() }
        try? await channel.closeFuture.get()
    }

    /// Ends everything at once.
    package func stop() async {
        let task = listening?.task
        listening = nil
        task?.cancel()
        connections.closeAll()
        // Otherwise connections would still want to say something to event loops that are gone.
        await task?.value
        try? await group.shutdownGracefully()
    }
}
