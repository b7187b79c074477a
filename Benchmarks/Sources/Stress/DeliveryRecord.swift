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

    /// A scan's event as one line of JSON.
    static func parse(json line: Substring) -> Delivered? {
        guard let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            event["type"] as? String == "scan", let sequence = event["seq"] as? Int, let id = event["id"] as? String
        else { return nil }
        return Delivered(sequence: UInt64(sequence), id: id, text: event["text"] as? String ?? "")
    }
}
