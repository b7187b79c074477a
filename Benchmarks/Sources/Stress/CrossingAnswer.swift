/// An answer that crosses the next scan on its way to the station: the one thing that tells a station that counts each answer for its latest
/// offer (`OfferLedger.Rule.lastOnly`) from one that counts what it owes.
///
/// Hosts that are slow by chance bring that about by chance: the repeat of one scan must be answered in the moment after the next one was
/// offered, and on a busy machine the next one comes seconds later. This host waits for events instead, however long they take: it holds
/// back its answer to the first scan of a connection until another one has been offered there, and then gives it without an id. Until the
/// station has replied to that, whatever it had offered may be what it took the answer for; so the host never says anything about those
/// scans, and an answer that counts for one of them is a fault, whichever it is.
///
/// It has to be the connection's first answer: one that answers a repeat when nothing seems to be owed makes such a station distrust the
/// program, and it counts nothing more without an id.
struct CrossingAnswer {
    private enum Phase {
        case waiting
        case holding(String)
        case said
    }

    private var phase = Phase.waiting
    /// Offered before the station replied, and never to be answered.
    private(set) var passedOver: Set<String> = []

    /// Whether the answer is given: it is the station's turn.
    var isSaid: Bool { if case .said = phase { true } else { false } }

    /// The station offers a scan; returns the scan to answer now, without its id.
    mutating func offered(_ scan: String) -> String? {
        switch phase {
        case .waiting: phase = .holding(scan)
        case .holding(let held):
            guard scan != held else { return nil }
            phase = .said
            passedOver.insert(scan)
            return held
        case .said: passedOver.insert(scan)
        }
        return nil
    }
}
