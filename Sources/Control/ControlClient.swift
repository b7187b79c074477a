import Glibc
import Linux
import Vocabulary
import Wire

/// The command line's end of a station's socket: sends commands, waits for their replies, hears events.
///
/// Events are kept only once `events()` was called, or from the reply to `subscribe` on. Call `close` when done.
package actor ControlClient {
    /// The most lines that wait for the reader of `events()`; the socket isn't read while there are more.
    package static let maxBufferedLines = 1024
    /// A longer line can't be from a station (a scan of 3 kB of binary is about 10 kB).
    package static let maxLineBytes = 16 << 20
    package static let defaultTimeout: Duration = .seconds(5)

    package nonisolated let path: String
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let loop = EventLoop()
    private let descriptor: Descriptor
    private var watch: Int?
    private var splitter = LineSplitter(maxLineBytes: ControlClient.maxLineBytes)
    private var outgoing = OutgoingLines()
    private var isListening = false
    private var lines: [[UInt8]] = []
    private var reader: CheckedContinuation<[UInt8]?, any Error>?
    private var waiting: [Int64: Waiting] = [:]
    private var nextTag: Int64 = 1
    /// The tag of the `subscribe` whose reply starts the events.
    private var listeningTag: Int64?
    /// Why the connection is over.
    private var end: ControlError?

    private struct Waiting {
        let timer: Int
        let done: CheckedContinuation<JSONValue, any Error>
    }

    /// Connects to the station at `path`; throws an error that says what is wrong and what to do.
    package static func connect(path: String) async throws -> ControlClient {
        let client = ControlClient(path: path, descriptor: try ClientSocket.connect(path))
        await client.begin()
        return client
    }

    private init(path: String, descriptor: Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Sends a command and returns the station's reply as it came, whether `"ok"` is true or not. Throws if none comes in time, or the
    /// connection ends.
    package func send(_ command: Command, timeout: Duration = ControlClient.defaultTimeout) async throws -> JSONValue {
        try await send(command, timeout: timeout, listens: false)
    }

    /// Sends `subscribe`. Every event after its reply is kept for `events()`, and none from before it.
    /// The reply says what the journal has, and with `after` how many scans are `missed` because it has dropped them.
    package func subscribe(
        types: [String], after: UInt64? = nil, journal: String? = nil,
        timeout: Duration = ControlClient.defaultTimeout
    ) async throws -> JSONValue {
        try await send(
            .subscribe(types: types, after: after, journal: journal, secrets: nil), timeout: timeout, listens: true)
    }

    private func send(_ command: Command, timeout: Duration, listens: Bool) async throws -> JSONValue {
        if let end { throw end }
        let tag = nextTag
        nextTag += 1
        if listens { listeningTag = tag }
        return try await withCheckedThrowingContinuation { done in
            let timer = loop.setTimer(at: Instant.now.advanced(by: timeout)) {
                self.assumeIsolated { $0.timeOut(tag, command.name, timeout) }
            }
            waiting[tag] = Waiting(timer: timer, done: done)
            outgoing.append(command.line(tag: .integer(tag)))
            flush()
        }
    }

    /// Events from now on, each as its line of JSON without the line feed; ends when the station closes the connection.
    /// One reader at a time.
    package func events() -> AsyncThrowingStream<String, any Error> {
        isListening = true
        return AsyncThrowingStream { try await self.nextLine().map { String(decoding: $0, as: UTF8.self) } }
    }

    package func close() { finish(ControlError(.closed, "the connection was closed here")) }

    // MARK: Lines

    private func nextLine() async throws -> [UInt8]? {
        if !lines.isEmpty {
            let line = lines.removeFirst()
            updateInterest()
            return line
        }
        if let end {
            if end.code == .closed { return nil }
            throw end
        }
        guard reader == nil else { throw ControlError(.system, "two readers on one connection") }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader = $0 }
        } onCancel: {
            Task { await self.cancelReader() }
        }
    }

    private func cancelReader() {
        reader?.resume(throwing: CancellationError())
        reader = nil
    }

    private func begin() {
        watch = loop.watch(descriptor.number, events: POLLIN) { ready in
            self.assumeIsolated { $0.handle(ready) }
        }
    }

    private func handle(_ ready: Int16) {
        if Int32(ready) & POLLOUT != 0 { flush() }
        guard Int32(ready) & (POLLIN | POLLHUP | POLLERR) != 0 else { return }
        switch descriptor.read(limit: 65_536) {
        case .bytes(let bytes):
            for part in splitter.add(bytes) { take(part) }
            updateInterest()
        case .nothing: break
        case .end: finish(ControlError(.closed, "the station closed the connection"))
        case .failed(let error):
            let code: ControlError.Code = error.code == ECONNRESET ? .closed : .system
            finish(ControlError(code, "the connection to the station at \(path) broke: \(error.text)"))
        }
    }

    private func take(_ part: LineSplitter.Part) {
        guard case .line(let line) = part else {
            let message = "\(path) sent a line longer than \(Self.maxLineBytes) bytes: is it a station?"
            return finish(ControlError(.system, message))
        }
        // Only replies are parsed here: events go on as they are.
        if let reply = Self.reply(line) {
            if let tag = reply["tag"]?.integerValue, let waiter = waiting.removeValue(forKey: tag) {
                loop.cancelTimer(waiter.timer)
                if tag == listeningTag, reply["ok"]?.boolValue == true { isListening = true }
                waiter.done.resume(returning: reply)
            } else if let message = reply["error"]?.stringValue, reply["tag"] == nil {
                // This isn't an answer to one command, but to the connection: too many clients.
                finish(ControlError(.inUse, "the station at \(path) says: \(message)"))
            }
            return
        }
        guard isListening else { return }
        if let reader {
            self.reader = nil
            reader.resume(returning: line)
        } else {
            lines.append(line)
        }
    }

    private static func reply(_ line: [UInt8]) -> JSONValue? {
        // Version and type come first in every line of a station.
        guard String(decoding: line.prefix(32), as: UTF8.self).contains(#""type":"reply""#) else { return nil }
        return try? JSONValue(parsing: line)
    }

    private func updateInterest() {
        var events: Int32 = lines.count < Self.maxBufferedLines ? POLLIN : 0
        if !outgoing.isEmpty { events |= POLLOUT }
        watch.map { loop.setEvents(events, of: $0) }
    }

    private func flush() {
        // What the station said before it closed has yet to be read; the end comes after it.
        if outgoing.flush(to: descriptor).error != nil { outgoing = OutgoingLines() }
        updateInterest()
    }

    private func timeOut(_ tag: Int64, _ command: String, _ timeout: Duration) {
        waiting.removeValue(forKey: tag)?.done.resume(
            throwing: ControlError(
                .timeout, "the station at \(path) didn't answer \"\(command)\" within \(DurationText.text(timeout))"))
    }

    private func finish(_ error: ControlError) {
        guard end == nil else { return }
        end = error
        watch.map(loop.unwatch)
        watch = nil
        shutdown(descriptor.number, Int32(SHUT_RDWR))
        for waiter in waiting.values {
            loop.cancelTimer(waiter.timer)
            waiter.done.resume(throwing: error)
        }
        waiting = [:]
        if error.code == .closed { reader?.resume(returning: nil) } else { reader?.resume(throwing: error) }
        reader = nil
    }
}
