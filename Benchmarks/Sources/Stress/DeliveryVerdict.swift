/// Compares what arrived at an output with what beeped and what the journal has.
struct DeliveryVerdict {
    var arrivals = 0
    var distinct = 0
    /// Beeped and never arrived.
    var lost: [Delivered] = []
    /// Arrived, but the journal has no scan with that sequence and text.
    var invented: [Delivered] = []
    /// First arrivals that came after one with a higher sequence.
    var outOfOrder: [Delivered] = []
    /// In the journal and never arrived, whether or not they beeped.
    var undelivered = 0

    var repeated: Int { arrivals - distinct }

    init(_ arrived: [Delivered], beeped: [(sequence: UInt64, id: String)], journal: [Delivered]) {
        let byID = Dictionary(journal.map { ($0.id, $0) }) { first, _ in first }
        var seen: Set<String> = []
        var highest: UInt64 = 0
        for scan in arrived {
            if byID[scan.id] != scan { invented.append(scan) }
            guard seen.insert(scan.id).inserted else { continue }
            if scan.sequence <= highest { outOfOrder.append(scan) }
            highest = max(highest, scan.sequence)
        }
        arrivals = arrived.count
        distinct = seen.count
        lost = beeped.filter { !seen.contains($0.id) }.map {
            Delivered(sequence: $0.sequence, id: $0.id, text: byID[$0.id]?.text ?? "not in the journal")
        }
        undelivered = journal.count { !seen.contains($0.id) }
    }

    /// What is wrong, in words; `nil`: nothing.
    /// - Parameter mostRepeats: how many may have been under way when something was killed or cut.
    func problem(mostRepeats: Int) -> String? {
        var problems: [String] = []
        func tell(_ scans: [Delivered], _ what: String) {
            guard let first = scans.first else { return }
            problems.append("\(scans.count) \(what), the first: \(first.sequence) \(first.id) \(first.text)")
        }
        tell(lost, "scans beeped and never arrived")
        tell(invented, "arrived that the journal doesn't have so")
        tell(outOfOrder, "arrived for the first time after a later one")
        if undelivered > 0, lost.isEmpty { problems.append("\(undelivered) scans of the journal never arrived") }
        if repeated > mostRepeats {
            problems.append("\(repeated) repeats, where at most \(mostRepeats) can have been under way")
        }
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }
}
