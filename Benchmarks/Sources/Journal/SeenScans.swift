import Synchronization

/// What a client saw of scans whose sequences begin at 1. It looks only at sequences, because it mustn't be what takes the time.
final class SeenScans: Sendable {
    struct Figures: Sendable {
        /// The lowest sequence that hasn't come yet.
        var next: UInt64 = 1
        var first = 0.0
        var last = 0.0
        var repeated = 0
        /// Came before one with a lower sequence.
        var outOfOrder = 0
    }

    private let figures = Mutex(Figures())

    var now: Figures { figures.withLock { $0 } }

    func take(_ line: Substring) {
        guard let key = line.firstRange(of: "\"seq\":"),
            let sequence = UInt64(line[key.upperBound...].prefix { $0.isNumber })
        else { return }
        figures.withLock { figures in
            if figures.first == 0 { figures.first = Clock.now }
            if sequence == figures.next {
                figures.next += 1
                figures.last = Clock.now
            } else if sequence < figures.next {
                figures.repeated += 1
            } else {
                figures.outOfOrder += 1
            }
        }
    }
}
