import Foundation
import Synchronization
import TestSupport

/// A real broker, Debian's mosquitto, with its own folder, port and persistent store, and an independent client that records what arrives.
///
/// The tests' broker is another (`Tests/TestPeers`): tasks start and stop it, which a test's time limit cancels, and it keeps nothing. This
/// one is for threads, has a store, hangs when told to, and may live in a network of its own.
final class Broker: Sendable {
    static let installation =
        "it isn't installed: deploy/install-dependencies, or apt-get install mosquitto mosquitto-clients"
    /// What the broker has under way to its client at once (its own default).
    static let subscriberInFlight = 20

    let port: Int
    let record = DeliveryRecord()

    private struct State {
        var broker: ChildProcess?
        var client: ChildProcess?
        var reading: LineThread?
        var stops = 0
    }

    private let broker: String
    private let client: String
    private let folder: String
    private let topic: String
    private let network: NetworkNamespace?
    /// Keeps others away from the port.
    private let place: LoopbackSocket?
    private let take: @Sendable (Substring, DeliveryRecord) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - topic: that the client subscribes to.
    ///   - network: where both live, and the port there, on every address; `nil`: this machine's loopback address, on a free port.
    ///   - take: what the client does with each message; default: a scan's JSON goes into the record.
    init(
        folder: String, topic: String, network: (NetworkNamespace, port: Int)? = nil,
        take: @escaping @Sendable (Substring, DeliveryRecord) -> Void = { line, record in record.add(json: line) }
    ) throws {
        guard let broker = Spawn.find("mosquitto") else {
            throw BenchmarkFailure("this needs the broker mosquitto, and \(Self.installation)")
        }
        guard let client = Spawn.find("mosquitto_sub") else {
            throw BenchmarkFailure("this needs the client mosquitto_sub, and \(Self.installation)")
        }
        self.broker = broker
        self.client = client
        self.folder = folder
        self.topic = topic
        self.take = take
        self.network = network?.0
        if let network {
            (port, place) = (network.port, nil)
        } else {
            let place = try LoopbackSocket()
            (port, self.place) = (place.port, place)
        }
        // As root it would become another user, which may not write here.
        let user = geteuid() == 0 ? "user root\n" : ""
        let text = """
            \(user)listener \(port)\(network == nil ? " 127.0.0.1" : "")
            allow_anonymous true
            persistence true
            persistence_location \(folder)/
            persistence_file broker.db
            max_queued_messages 0
            max_inflight_messages \(Self.subscriberInFlight)
            log_dest stderr
            log_type error
            log_type warning

            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
    }

    private var configuration: String { folder + "/mosquitto.conf" }
    private var log: String { folder + "/mosquitto.log" }

    var isRunning: Bool { state.withLock { $0.broker?.isRunning ?? false } }
    var timesStopped: Int { state.withLock { $0.stops } }

    private func child(_ command: [String], standardOutput: Int32? = nil, log: String) throws -> ChildProcess {
        let command = (network?.launcher ?? []) + command
        return try ChildProcess(command[0], Array(command.dropFirst()), standardOutput: standardOutput, log: log)
    }

    private func answers() throws -> Bool {
        guard let network else { return TCPHost.connect(port) != nil }
        return try network.inside { [port] in TCPHost.connect(port) != nil }
    }

    /// Returns when it accepts connections.
    func start() throws {
        guard !isRunning else { return }
        let process = try child([broker, "-c", configuration], log: log)
        let deadline = Clock.now + 30
        while try !answers() {
            guard process.isRunning, Clock.now < deadline else {
                process.end(SIGKILL)
                let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw BenchmarkFailure("mosquitto didn't start on port \(port): \(said.suffix(500))")
            }
            usleep(10_000)
        }
        state.withLock { $0.broker = process }
    }

    /// As an administrator stops it: it writes its store first.
    func stop() {
        let process = state.withLock { state -> ChildProcess? in
            defer { state.broker = nil }
            if state.broker != nil { state.stops += 1 }
            return state.broker
        }
        process?.end(SIGTERM)
    }

    /// A broker that hangs: it takes and delivers nothing, and then everything late.
    func stall(_ isStalled: Bool) {
        state.withLock { state in
            guard let process = state.broker, process.isRunning else { return }
            kill(process.pid, isStalled ? SIGSTOP : SIGCONT)
        }
    }

    /// The client: with a session that the broker keeps while either is away, QoS 1. Returns when the broker knows the session.
    /// It ends when it can't connect for the first time; after that it comes back by itself.
    func subscribe() throws {
        let (process, reading) = try ChildLines.read { output in
            try child(
                [
                    client, "-h", "127.0.0.1", "-p", String(port), "-c", "-i", "independent", "-q", "1", "-t", topic,
                    "-F", "%p", "-k", "10",
                ], standardOutput: output, log: folder + "/client.log")
        } _: { [take, record] in
            take($0, record)
        }
        state.withLock { state in
            state.client = process
            state.reading = reading
        }
    }

    /// Starts the client again if it has given up.
    func keepSubscribed() throws {
        let isThere = state.withLock { $0.client?.isRunning ?? false }
        if !isThere, isRunning { try subscribe() }
    }

    func end() {
        let (client, reading) = state.withLock { ($0.client, $0.reading) }
        client?.end(SIGTERM)
        reading?.join()
        stop()
    }
}
