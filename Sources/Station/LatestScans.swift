import Wire

/// The last scans, newest last, for host answers that name one and for the panel.
struct LatestScans: Sendable {
    static let limit = 256

    private(set) var events: [ScanEvent] = []

    mutating func append(_ event: ScanEvent) {
        if events.count == Self.limit { events.removeFirst() }
        events.append(event)
    }

    func find(id: String) -> ScanEvent? { events.last { $0.scan.id == id } }
}
