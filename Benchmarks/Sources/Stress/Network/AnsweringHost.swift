import Foundation
import Synchronization
import TestSupport

/// Takes scans over TCP and answers each complete one at once.
struct AnsweringHost: Sendable {
    enum Language: Sendable {
        /// Records of the stress station's template; the answer is the byte ACK.
        case bytes
        /// Events; the answer is the command `ack`.
        case json
    }

    let language: Language
    let record = DeliveryRecord()

    init(_ language: Language) { self.language = language }

    /// Until the connection ends. It stays the caller's.
    func serve(_ connection: Int32) {
        var incoming = IncomingBytes()
        while incoming.fill(from: connection) > 0 {
            while let line = incoming.line() {
                guard let answer = take(line) else { continue }
                guard send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
            }
        }
    }

    private func take(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        switch language {
        case .bytes: return record.add(template: line) ? [0x06] : nil
        case .json:
            guard let scan = DeliveryRecord.parse(json: Substring(decoding: line, as: UTF8.self)) else { return nil }
            record.add(scan)
            return Array("{\"command\":\"ack\",\"id\":\"\(scan.id)\"}\n".utf8)
        }
    }
}

/// A host that listens, with a thread for each connection: connections that a broken network has left behind may stay forever.
final class ListeningHost: Sendable {
    private let listener: Int32
    private let connections = Mutex<Set<Int32>>([])

    /// The listening socket is this object's from now on.
    init(_ listener: Int32, _ serve: @escaping @Sendable (Int32) -> Void) {
        self.listener = listener
        Thread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard connection >= 0 else { break }
                connections.withLock { _ = $0.insert(connection) }
                Thread { [self] in
                    serve(connection)
                    connections.withLock { _ = $0.remove(connection) }
                    close(connection)
                }.start()
            }
            close(listener)
        }.start()
    }

    /// Ends its threads: `shutdown` wakes those that wait.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }
}

/// A host that connects to the station, wherever it is at the moment, and comes back whenever the connection ends. As such programs should,
/// it notices by itself when nothing comes back any more.
final class CallingHost: Sendable {
    private struct State {
        var isEnded = false
        var connection: Int32?
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    init(_ host: AnsweringHost, to network: TestNetwork, port: Int) {
        Thread { [self] in
            while !isEnded {
                for address in network.stationAddresses where !isEnded {
                    let made = try? network.hosts.inside { Dual.connect(address, port, seconds: 2) }
                    guard let connection = made else { continue }
                    state.withLock { $0.connection = connection }
                    if !isEnded { host.serve(connection) }
                    state.withLock { state in
                        state.connection = nil
                        close(connection)
                    }
                }
                usleep(100_000)
            }
            done.signal()
        }.start()
    }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    func end() {
        state.withLock { state in
            state.isEnded = true
            if let connection = state.connection { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        done.wait()
    }
}
