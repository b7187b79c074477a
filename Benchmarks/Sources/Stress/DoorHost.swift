import Foundation
import ScanCore
import Synchronization
import TestSupport

/// What the hosts of a door said, and what became of their turns; recorded before it is sent.
final class DoorRecord: Sendable {
    struct Said: Sendable {
        /// When the host first said so, `Clock.now`.
        var accepted: [String: Double] = [:]
        var refused: [String: Double] = [:]
        var turns: [DoorTurn: Int] = [:]
    }

    private let said = Mutex<[String: Said]>([:])

    func say(_ output: String, _ scan: String, isAccepted: Bool) {
        said.withLock { said in
            if isAccepted {
                if said[output, default: Said()].accepted[scan] == nil {
                    said[output, default: Said()].accepted[scan] = Clock.now
                }
            } else if said[output, default: Said()].refused[scan] == nil {
                said[output, default: Said()].refused[scan] = Clock.now
            }
        }
    }

    func count(_ output: String, _ turn: DoorTurn) {
        said.withLock { $0[output, default: Said()].turns[turn, default: 0] += 1 }
    }

    var now: [String: Said] { said.withLock { $0 } }
}

/// How a host takes a scan.
enum DoorTurn: String, CaseIterable, Sendable {
    case prompt, delayed, lost, doubled, wrong

    static func draw(_ random: inout SplitMix) -> DoorTurn {
        switch random.next() % 20 {
        case 0..<8: .prompt
        case 8..<14: .delayed
        case 14..<17: .lost
        case 17: .doubled
        default: .wrong
        }
    }
}

/// A host's opinion: about every second scan may pass; the same scan always gets the same answer.
enum DoorOpinion {
    static func accepts(_ scan: String) -> Bool {
        var hash: UInt32 = 2_166_136_261
        for byte in scan.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return hash.nonzeroBitCount.isMultiple(of: 2)
    }
}

/// A host that answers each record with one byte, in order, one after another, over a serial line, or behind a serial device server: there an
/// answer comes on whatever connection there is by then.
///
/// It keeps one promise: an answer comes within `DoorTest.promise` of its record, or never.
final class ByteDoorHost: Sendable {
    private struct State {
        var descriptor: Int32 = -1
        var isEnded = false
    }

    private let output: String
    private let record: DoorRecord
    private let state = Mutex(State())

    init(_ output: String, seed: UInt64, record: DoorRecord) {
        self.output = output
        self.record = record
        Thread { [self] in serve(SplitMix(seed: seed)) }.start()
    }

    /// From now on it reads and writes there; what it hasn't read elsewhere is lost.
    func attach(_ descriptor: Int32) {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = descriptor
        }
    }

    func end() {
        attach(-1)
        state.withLock { $0.isEnded = true }
    }

    private func serve(_ random: SplitMix) {
        var random = random
        var incoming = IncomingBytes()
        var served: Int32 = -1
        var looked = Clock.now
        while true {
            let (descriptor, isEnded) = state.withLock { ($0.descriptor, $0.isEnded) }
            if isEnded { return }
            if descriptor != served { incoming = IncomingBytes() }
            served = descriptor
            // On a busy machine this thread may stand still: what it finds then may have come right after its last look.
            let came = looked
            looked = Clock.now
            guard descriptor >= 0, incoming.fill(from: descriptor, limit: 4096) > 0 else {
                usleep(500)
                continue
            }
            while let line = incoming.line() {
                guard let mark = line.lastIndex(of: 0x02) else { continue }
                let words = String(decoding: line[(mark + 1)...], as: UTF8.self).split(separator: " ", maxSplits: 2)
                guard words.count == 3 else { continue }
                answer(String(words[1]), came: came, &random)
            }
        }
    }

    private func answer(_ scan: String, came: Double, _ random: inout SplitMix) {
        let turn = DoorTurn.draw(&random)
        record.count(output, turn)
        if turn == .lost { return }
        if turn == .delayed { usleep(UInt32(random.seconds(in: DoorTest.delay) * 1e6)) }
        guard Clock.now - came < DoorTest.promise else { return }
        let isAccepted = DoorOpinion.accepts(scan)
        let byte = isAccepted ? AckLine.ack : AckLine.nak
        let bytes: [UInt8] =
            switch turn {
            case .doubled: [byte, byte]
            case .wrong: [0x41, 0x00, 0xFF, byte]
            case .prompt, .delayed, .lost: [byte]
            }
        record.say(output, scan, isAccepted: isAccepted)
        state.withLock { state in
            if state.descriptor >= 0 { _ = write(state.descriptor, bytes, bytes.count) }
        }
    }
}

/// A host that answers in JSON: by the scan's id, or without it.
struct JSONDoorHost {
    let output: String
    let record: DoorRecord
    /// How an answer is written down.
    let accept: @Sendable (_ id: String?, _ isAccepted: Bool) -> String
    /// Whether answers may omit the id.
    let leavesIDsOut: Bool

    /// The line that answers a scan and doesn't name it.
    func unnamed(_ scan: String) -> String {
        let isAccepted = DoorOpinion.accepts(scan)
        record.say(output, scan, isAccepted: isAccepted)
        return accept(nil, isAccepted)
    }

    /// The lines that answer a scan, after the time that they take.
    func lines(for scan: String, _ random: inout SplitMix) -> [String] {
        let turn = DoorTurn.draw(&random)
        record.count(output, turn)
        if turn == .lost { return [] }
        if turn == .delayed { usleep(UInt32(random.seconds(in: DoorTest.delay) * 1e6)) }
        let isAccepted = DoorOpinion.accepts(scan)
        record.say(output, scan, isAccepted: isAccepted)
        let line = accept(leavesIDsOut && random.next() % 5 < 2 ? nil : scan, isAccepted)
        switch turn {
        case .doubled: return [line, line]
        // Nobody can know which scan is meant, or the scan doesn't exist.
        case .wrong: return ["{", accept("no-such-scan", true), leavesIDsOut ? line : accept(nil, true)]
        case .prompt, .delayed, .lost: return [line]
        }
    }
}
