import Vocabulary

/// What the passes have found so far in a picture that stays the same: the symbols that an unchanged frame still shows.
///
/// Passes alternate, so one read may miss what the previous one found. A symbol counts until several reads in a row have missed it.
struct StillPicture: Sendable {
    /// How many reads in a row may miss a symbol: more than a full round, because perhaps only one turn can read it.
    static let memory = max(ReadEffort.Kind.quick.turns, ReadEffort.Kind.thorough.turns) + 1
    private struct Entry {
        var symbol: Symbol
        var lastSeen: Int
    }

    private var entries: [Entry] = []
    private var picture: UInt64?
    private var reads = 0

    var symbols: [Symbol] { entries.map(\.symbol) }

    /// Adds the symbols of one read of picture number `picture`. If the number changes, earlier symbols are forgotten.
    mutating func add(_ symbols: [Symbol], picture: UInt64) {
        if self.picture != picture { clear() }
        self.picture = picture
        reads += 1
        var seen = entries
        for symbol in symbols {
            // Two passes of one read may both have found it.
            let known = seen.firstIndex {
                ($0.lastSeen != reads || !$0.symbol.isOfOneLook(with: symbol)) && $0.symbol.isSameCode(as: symbol)
            }
            if let index = known {
                seen[index] = Entry(symbol: symbol, lastSeen: max(reads, seen[index].lastSeen))
            } else {
                seen.append(Entry(symbol: symbol, lastSeen: reads))
            }
        }
        entries = seen.filter { reads - $0.lastSeen < Self.memory }
    }

    /// Adds what the ladder found in the picture. It stays while the picture does: later reads don't look in the ladder's ways. Ignores any
    /// picture other than the one last read.
    mutating func lend(_ symbols: [Symbol], picture: UInt64) {
        guard self.picture == picture else { return }
        for symbol in symbols {
            let lent = Entry(symbol: symbol, lastSeen: .max)
            if let index = entries.firstIndex(where: { $0.symbol.isSameCode(as: symbol) }) {
                entries[index] = lent
            } else {
                entries.append(lent)
            }
        }
    }

    mutating func clear() {
        entries = []
        picture = nil
        reads = 0
    }
}
