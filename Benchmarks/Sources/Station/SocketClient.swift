import Foundation
import TestSupport

/// A client of the station's socket that notes when each line arrived.
final class SocketClient {
    private let descriptor: Int32
    private var incoming = IncomingBytes()

    /// Waits up to five seconds for the socket to appear.
    init(path: String) throws {
        let deadline = Clock.now + 5
        var connected = UnixSocket.connect(path)
        while connected == nil, Clock.now < deadline {
            Thread.sleep(forTimeInterval: 0.01)
            connected = UnixSocket.connect(path)
        }
        guard let connected else { throw BenchmarkFailure("no station at \(path)") }
        descriptor = connected
    }

    deinit { close(descriptor) }

    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw BenchmarkFailure("the station is gone")
        }
    }

    /// The next line as JSON and when it arrived; `nil` when the time is up.
    func next(until deadline: Double) throws -> ([String: Any], Double)? {
        while true {
            if let line = incoming.line() {
                let arrived = Clock.now
                guard let event = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
                return (event, arrived)
            }
            let wait = Int32(max(0, (deadline - Clock.now) * 1000).rounded(.up))
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, wait) > 0 else { return nil }
            guard incoming.fill(from: descriptor) > 0 else {
                throw BenchmarkFailure("the station closed the connection")
            }
        }
    }

    func ask(_ command: String) throws -> [String: Any] {
        try send("{\"command\":\"\(command)\"}")
        while let (line, _) = try next(until: Clock.now + 5) {
            if line["type"] as? String == "reply" { return line }
        }
        throw BenchmarkFailure("no reply to \(command)")
    }

    /// Reads and drops what comes for a while, so that the station never waits for us.
    func drain(for seconds: Double) throws {
        let end = Clock.now + seconds
        while try next(until: end) != nil {}
    }
}
