import Glibc
import Linux
import Vocabulary
import Wire

/// Fetches the scans that a stream has missed, over a connection of its own: `subscribe` with `after` gets them from the journal in their
/// order.
package actor ScanReplay {
    /// More are left to the page of scans.
    package static let most = 500
    private static let timeout: Duration = .seconds(10)

    package struct Outcome: Sendable {
        package var scans: [StreamEvent] = []
        /// What the visitor should know: scans that the journal has dropped, another journal, a station that is away.
        package var note: String?
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private nonisolated let loop = EventLoop()
    private let place: StreamEvent.JournalPlace
    private var descriptor: Descriptor?
    private var splitter = LinkSplitter()
    private var watch: Int?
    private var timer: Int?
    private var outcome = Outcome()
    private var last: UInt64?
    private var done: CheckedContinuation<Outcome, Never>?

    private init(_ place: StreamEvent.JournalPlace) { self.place = place }

    package static func run(
        path: String, secrets: StationLink.Secrets, after place: StreamEvent.JournalPlace
    ) async -> Outcome {
        await ScanReplay(place).run(path: path, secrets: secrets)
    }

    private func run(path: String, secrets: StationLink.Secrets) async -> Outcome {
        let descriptor: Descriptor
        do throws(StationAway) { descriptor = try StationSocket.connect(path) } catch {
            return Outcome(note: "scans since then can't be fetched: \(error.description)")
        }
        self.descriptor = descriptor
        let command: JSONValue = [
            "command": "subscribe", "types": ["scan"], "after": .count(place.seq), "journal": .string(place.journal),
            "secrets": .string(secrets.rawValue), "tag": 1,
        ]
        let line = command.bytes + [UInt8(ascii: "\n")]
        guard case .written(line.count) = descriptor.write(line, from: 0, isSocket: true) else {
            return Outcome(note: "scans since then can't be fetched: the station doesn't take the question")
        }
        return await withCheckedContinuation { continuation in
            done = continuation
            watch = loop.watch(descriptor.number, events: POLLIN) { _ in self.assumeIsolated { $0.read() } }
            timer = loop.setTimer(at: Instant.now.advanced(by: Self.timeout)) {
                self.assumeIsolated { $0.finish(note: "the station took too long to send the scans since then") }
            }
        }
    }

    private func read() {
        guard let descriptor else { return }
        switch descriptor.read(limit: 262_144) {
        case .bytes(let bytes):
            splitter.add(bytes)
            while done != nil, let part = splitter.next() { take(part) }
        case .nothing: break
        case .end, .failed: finish(note: "the station closed the connection while it sent the scans since then")
        }
    }

    private func take(_ part: LinkSplitter.Part) {
        guard case .line(let line) = part else { return finish(note: "the station sent what isn't a scan") }
        if StationLink.isReply(line) {
            guard let reply = try? JSONValue(parsing: line) else {
                return finish(note: "the station's reply can't be read")
            }
            guard reply["ok"]?.boolValue == true else {
                return finish(
                    note: "scans since then can't be fetched: \(reply["error"]?.stringValue ?? "the station refuses")")
            }
            if let missed = reply["missed"]?.integerValue, missed > 0 {
                outcome.note = "the journal has dropped \(missed) scans since then"
            }
            last = reply["last"]?.integerValue.map { UInt64(max($0, 0)) } ?? 0
            if place.seq >= last ?? 0 { finish() }
            return
        }
        let event = StreamEvent(line: line)
        guard event.type == "scan", let seq = event.place?.seq else { return }
        guard outcome.scans.count < Self.most else {
            return finish(note: "more than \(Self.most) scans since then: the page of scans has them all")
        }
        outcome.scans.append(event)
        if let last, seq >= last { finish() }
    }

    private func finish(note: String? = nil) {
        guard let done else { return }
        self.done = nil
        if let note { outcome.note = note }
        watch.map(loop.unwatch)
        timer.map(loop.cancelTimer)
        if let descriptor { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
        descriptor = nil
        done.resume(returning: outcome)
    }
}
