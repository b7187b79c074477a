import ScanCore
import Wire

/// The last scans, newest last, for host answers that name one and for the panel.
struct LatestScans: Sendable {
    static let limit = 256

    private(set) var events: [ScanEvent] = []

    mutating func append(_ event: ScanEvent) {
        if events.count == Self.limit { events.removeFirst() }
        events.append(event)
    }

    /// The scan with this id, or the latest for `nil`.
    func find(id: String?) -> ScanEvent? {
        guard let id else { return events.last }
        return events.last { $0.scan.id == id }
    }
}
