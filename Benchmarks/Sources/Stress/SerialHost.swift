import Foundation
import Synchronization
import TestSupport

/// The computer at the other end of a serial line with ACK: a pty behind a link, as /dev/serial/by-id has them, which can be
/// pulled out and put in again. Answers every whole record.
final class SerialHost: Sendable {
    let device: String
    let record = DeliveryRecord()

    private struct State {
        var host: Int32 = -1
        var isEnded = false
    }

    private static let ack: [UInt8] = [0x06]

    private let state = Mutex(State())
    /// Times that it was pulled out.
    private let unplugged = Atomic<Int>(0)

    init(device: String) {
        self.device = device
        Thread { [self] in serve() }.start()
    }

    var timesUnplugged: Int { unplugged.load(ordering: .relaxed) }

    var isPluggedIn: Bool { state.withLock { $0.host >= 0 } }

    func plugIn() throws {
        try state.withLock { state in
            guard state.host < 0 else { return }
            let line = try PseudoTerminal(device: device)
            close(line.port)
            _ = fcntl(line.host, F_SETFL, O_NONBLOCK)
            state.host = line.host
        }
    }

    func unplug() {
        state.withLock { state in
            guard state.host >= 0 else { return }
            unlink(device)
            close(state.host)
            state.host = -1
            unplugged.add(1, ordering: .relaxed)
        }
    }

    func end() {
        unplug()
        state.withLock { $0.isEnded = true }
    }

    /// Waits until everything that a station wrote before it was killed has been read: an answer to it must not meet the next station.
    func catchUp() {
        while state.withLock({ $0.host >= 0 && Self.waiting($0.host) > 0 }) { usleep(200) }
    }

    private static func waiting(_ host: Int32) -> Int32 {
        var poll = pollfd(fd: host, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0 && Int32(poll.revents) & POLLIN != 0 ? 1 : 0
    }

    private func serve() {
        var incoming = IncomingBytes()
        var served: Int32 = -1
        while true {
            // Reading and answering happen under the lock: `unplug` comes before or after, never in between.
            let (count, isEnded) = state.withLock { state -> (Int, Bool) in
                if state.host != served { incoming = IncomingBytes() }
                served = state.host
                guard state.host >= 0 else { return (0, state.isEnded) }
                let count = incoming.fill(from: state.host, limit: 4096)
                guard count > 0 else { return (0, false) }
                while let line = incoming.line() {
                    if record.add(template: line) { _ = write(state.host, Self.ack, 1) }
                }
                return (count, false)
            }
            if isEnded { return }
            if count == 0 { usleep(200) }
        }
    }
}
