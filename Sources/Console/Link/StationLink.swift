import Glibc
import Linux
import Vocabulary
import Wire

/// The console's end of the station's console socket: asks, hears events, and connects again whenever the station was away.
///
/// The executor is a thread of its own that waits for the socket, so the order of lines and pixels is the order in which the station sent
/// them.
package actor StationLink {
    package enum Secrets: String, Sendable {
        case withheld
        case revealed
    }

    package enum News: Hashable, Sendable {
        /// An event, as its line of JSON.
        case event([UInt8])
        case away(String)
        case back(StationHello)
    }

    package enum State: Hashable, Sendable {
        case away(String)
        case here(StationHello)
    }

    /// What a station and this console have in common.
    static let eventTypes = ["scan", "noRead", "unread", "state", "receipt", "answer", "error"]
    package static let maxPixelBytes = 4 << 20
    /// Requests that wait for the station at once.
    static let mostWaiting = 256
    /// A piece of a picture; more would be fetched from the system and given back for each event's few bytes.
    static let readBytes = 65_536
    static let timeout: Duration = .seconds(5)
    /// A station that accepts and says nothing isn't there.
    static let helloTimeout: Duration = .seconds(5)

    package nonisolated let path: String
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let loop = EventLoop()
    private let secrets: Secrets
    private let version: String
    private let hear: @Sendable (News) -> Void

    private var backoff = Backoff(first: .milliseconds(200), longest: .seconds(3))
    private var isRunning = false
    private var state: State = .away("the console has just started, and hasn't reached the station yet")
    private var connection: Connection?
    private var retry: Int?
    private var waiting: [Int64: Waiting] = [:]
    private var nextTag: Int64 = 1
    /// Which connection this is: what an earlier one left unfinished doesn't end the present one.
    private var generation = 0
    private var arrivals: [CheckedContinuation<Void, Never>] = []

    private struct Connection {
        let descriptor: Descriptor
        var watch: Int
        var splitter = LinkSplitter()
        var outgoing = OutgoingLines()
        /// The reply whose pixels are on their way.
        var reply: JSONValue?
    }

    private struct Waiting {
        let timer: Int
        let isUrgent: Bool
        let done: CheckedContinuation<Reply, any Error>
    }

    package struct Reply: Hashable, Sendable {
        package var json: JSONValue
        package var pixels: [UInt8] = []
    }

    /// - Parameter hear: called on the link's thread, in order; it must not wait.
    package init(path: String, secrets: Secrets, version: String, hear: @escaping @Sendable (News) -> Void) {
        self.path = path
        self.secrets = secrets
        self.version = version
        self.hear = hear
    }

    package func start() {
        guard !isRunning else { return }
        isRunning = true
        connect()
    }

    package func stop() {
        isRunning = false
        retry.map(loop.cancelTimer)
        retry = nil
        lose("the console is ending")
    }

    package var current: State { state }

    /// The station's word on itself, if it comes within the time.
    package func hello(within limit: Duration) async -> StationHello? {
        if case .away = state {
            let timer = loop.setTimer(at: Instant.now.advanced(by: limit)) { self.assumeIsolated { $0.wakeArrivals() } }
            await withCheckedContinuation { arrivals.append($0) }
            loop.cancelTimer(timer)
        }
        if case .here(let hello) = state { return hello }
        return nil
    }

    /// Sends a command and returns the reply as it came, whether `"ok"` is true or not.
    package func ask(
        _ command: String, _ fields: [String: JSONValue] = [:], timeout: Duration = StationLink.timeout
    ) async throws(StationAway) -> Reply {
        if case .away(let why) = state { throw StationAway(why) }
        return try await send(command, fields, timeout: timeout)
    }

    private func send(
        _ command: String, _ fields: [String: JSONValue], timeout: Duration, isUrgent: Bool = false
    ) async throws(StationAway) -> Reply {
        guard connection != nil else {
            throw StationAway("the station has just gone; the console tries to reach it again")
        }
        guard waiting.count < Self.mostWaiting || isUrgent else {
            throw StationAway("\(Self.mostWaiting) requests wait for the station already: try again in a moment")
        }
        let tag = nextTag
        nextTag += 1
        var members = fields
        members["command"] = .string(command)
        members["tag"] = .integer(tag)
        let line = JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
        do {
            return try await withCheckedThrowingContinuation { done in
                let timer = loop.setTimer(at: Instant.now.advanced(by: timeout)) {
                    self.assumeIsolated { $0.timeOut(tag, command, timeout) }
                }
                waiting[tag] = Waiting(timer: timer, isUrgent: isUrgent, done: done)
                connection?.outgoing.append(line)
                flush()
            }
        } catch {
            throw error as? StationAway ?? StationAway("\(error)")
        }
    }

    // MARK: Coming and going

    private func connect() {
        retry = nil
        guard isRunning, connection == nil else { return }
        do throws(StationAway) {
            let descriptor = try StationSocket.connect(path)
            let watch = loop.watch(descriptor.number, events: POLLIN) { ready in
                self.assumeIsolated { $0.handle(ready) }
            }
            connection = Connection(descriptor: descriptor, watch: watch)
            generation += 1
            Task { [generation] in await introduce(generation) }
        } catch { lose(error.description) }
    }

    /// A station that doesn't know `hello` is older than this console; it is used as far as it goes.
    private func introduce(_ generation: Int) async {
        do throws(StationAway) {
            let reply = try await send(
                "hello", ["console": .string(version)], timeout: Self.helloTimeout, isUrgent: true)
            let subscription = try await send(
                "subscribe",
                ["types": .array(Self.eventTypes.map { .string($0) }), "secrets": .string(secrets.rawValue)],
                timeout: Self.helloTimeout, isUrgent: true)
            guard connection != nil, generation == self.generation else { return }
            if reply.json["ok"]?.boolValue != true, let refusal = subscription.json["error"]?.stringValue {
                return lose("the station refuses the console: \(refusal)")
            }
            backoff.reset()
            let hello = reply.json["hello"].map(StationHello.init) ?? StationHello()
            state = .here(hello)
            hear(.back(hello))
            wakeArrivals()
        } catch {
            if generation == self.generation, connection != nil { lose(error.description) }
        }
    }

    private func lose(_ why: String) {
        if let connection {
            loop.unwatch(connection.watch)
            shutdown(connection.descriptor.number, Int32(SHUT_RDWR))
        }
        connection = nil
        for waiter in waiting.values {
            loop.cancelTimer(waiter.timer)
            waiter.done.resume(throwing: StationAway(why))
        }
        waiting = [:]
        let wasHere = if case .here = state { true } else { false }
        let isOther = state != .away(why)
        state = .away(why)
        if wasHere || isOther { hear(.away(why)) }
        if isRunning, retry == nil {
            retry = loop.setTimer(at: Instant.now.advanced(by: backoff.next())) { self.assumeIsolated { $0.connect() } }
        }
        if !isRunning { wakeArrivals() }
    }

    private func wakeArrivals() {
        for arrival in arrivals { arrival.resume() }
        arrivals = []
    }

    // MARK: Bytes

    private func handle(_ ready: Int16) {
        if Int32(ready) & POLLOUT != 0 { flush() }
        guard Int32(ready) & (POLLIN | POLLHUP | POLLERR) != 0, let descriptor = connection?.descriptor else { return }
        switch descriptor.read(limit: Self.readBytes) {
        case .bytes(let bytes):
            connection?.splitter.add(bytes)
            while let part = connection?.splitter.next() { take(part) }
        case .nothing: break
        case .end: lose("the station has ended, or closed its console socket; the console tries to reach it again")
        case .failed(let error): lose("the connection to the station at \(path) broke: \(error.text)")
        }
    }

    private func take(_ part: LinkSplitter.Part) {
        switch part {
        case .overlong: lose("\(path) sent a line that is too long: is it a station?")
        case .pixels(let pixels):
            guard let reply = connection?.reply else { return }
            connection?.reply = nil
            deliver(Reply(json: reply, pixels: pixels))
        case .line(let line):
            guard Self.isReply(line) else { return hear(.event(line)) }
            guard let reply = try? JSONValue(parsing: line, limits: JSONLimits(maxBytes: 4 << 20)) else {
                return lose("\(path) sent a reply that isn't JSON: is it a station?")
            }
            if let count = reply["preview"]?["bytes"]?.integerValue, count > 0 {
                guard count <= Self.maxPixelBytes else {
                    return lose(
                        "the station announced a picture of \(count) bytes, which is more than the console takes")
                }
                connection?.reply = reply
                connection?.splitter.expectPixels(Int(count))
            } else {
                deliver(Reply(json: reply))
            }
        }
    }

    private func deliver(_ reply: Reply) {
        if let tag = reply.json["tag"]?.integerValue {
            guard let waiter = waiting.removeValue(forKey: tag) else { return }
            loop.cancelTimer(waiter.timer)
            waiter.done.resume(returning: reply)
        } else if let message = reply.json["error"]?.stringValue {
            // To the connection, not to one command: too many clients, or not the right user.
            lose("the station says: \(message)")
        }
    }

    /// Version and type come first in every line of a station.
    static func isReply(_ line: [UInt8]) -> Bool {
        let mark = #""type":"reply""#.utf8
        return line.prefix(40).indices.contains { line[$0...].starts(with: mark) }
    }

    private func flush() {
        guard let descriptor = connection?.descriptor else { return }
        // The next read reports a broken pipe, after what the station said before it closed.
        if connection?.outgoing.flush(to: descriptor).error != nil { connection?.outgoing = OutgoingLines() }
        guard let connection else { return }
        loop.setEvents(POLLIN | (connection.outgoing.isEmpty ? 0 : POLLOUT), of: connection.watch)
    }

    private func timeOut(_ tag: Int64, _ command: String, _ timeout: Duration) {
        let limit = DurationText.text(timeout)
        guard let waiter = waiting.removeValue(forKey: tag) else { return }
        waiter.done.resume(
            throwing: StationAway("the station didn't answer \"\(command)\" within \(limit): it hangs, or is very busy")
        )
    }
}
