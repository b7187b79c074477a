import Foundation
import Synchronization

/// A scan as it arrived somewhere, or as the journal has it.
struct Delivered: Hashable, Sendable {
    var sequence: UInt64
    var id: String
    var text: String
}

/// What arrived at one output, in order.
final class DeliveryRecord: Sendable {
    private struct State {
        var arrivals: [Delivered] = []
        var ids: Set<String> = []
        var highest: UInt64 = 0
        var unreadable: [String] = []
    }

    private let state = Mutex(State())

    func add(_ scan: Delivered) {
        state.withLock { state in
            state.arrivals.append(scan)
            state.ids.insert(scan.id)
            state.highest = max(state.highest, scan.sequence)
        }
    }

    func addUnreadable(_ line: String) { state.withLock { $0.unreadable.append(line) } }

    var arrivals: [Delivered] { state.withLock { $0.arrivals } }
    var unreadable: [String] { state.withLock { $0.unreadable } }
    /// Different scans.
    var count: Int { state.withLock { $0.ids.count } }
    var highest: UInt64 { state.withLock { $0.highest } }

    /// A line of the stress station's template, `<STX>{seq} {id} {text}`. What comes before the last mark was cut short by a kill. Returns
    /// `false` if the line itself was cut short, or isn't one.
    func add(template line: ArraySlice<UInt8>) -> Bool {
        guard let mark = line.lastIndex(of: 0x02) else { return false }
        let text = String(decoding: line[(mark + 1)...], as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, let sequence = UInt64(words[0]) else {
            addUnreadable(text)
            return false
        }
        add(Delivered(sequence: sequence, id: String(words[1]), text: String(words[2])))
        return true
    }

    /// An event that must be a scan.
    func add(json line: Substring) {
        if let scan = Self.parse(json: line) { add(scan) } else { addUnreadable(String(line.prefix(200))) }
    }

    /// A scan's event as one line of JSON.
    static func parse(json line: Substring) -> Delivered? {
        guard let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            event["type"] as? String == "scan", let sequence = event["seq"] as? Int, let id = event["id"] as? String
        else { return nil }
        return Delivered(sequence: UInt64(sequence), id: id, text: event["text"] as? String ?? "")
    }
}
