import Vocabulary

/// What has been found in a picture that stays the same, over the passes that saw it: the symbols that an unchanged frame
/// still shows.
///
/// Passes alternate, so one read may miss what the one before found. A symbol counts until several reads in a row missed it.
struct StillPicture: Sendable {
    /// Reads in a row that may miss a symbol: more than a full round, as one turn alone may be able to read it.
    static let memory = max(ReadEffort.Kind.quick.turns, ReadEffort.Kind.thorough.turns) + 1
    private struct Entry {
        var symbol: Symbol
        var lastSeen: Int
    }

    private var entries: [Entry] = []
    private var picture: UInt64?
    private var reads = 0

    var symbols: [Symbol] { entries.map(\.symbol) }

    /// Takes the symbols of one read of picture number `picture`. Another number than before forgets what was found.
    mutating func add(_ symbols: [Symbol], picture: UInt64) {
        if self.picture != picture { clear() }
        self.picture = picture
        reads += 1
        var seen = entries
        for symbol in symbols {
            if let index = seen.firstIndex(where: { $0.lastSeen != reads && $0.symbol.isSameCode(as: symbol) }) {
                seen[index] = Entry(symbol: symbol, lastSeen: max(reads, seen[index].lastSeen))
            } else {
                seen.append(Entry(symbol: symbol, lastSeen: reads))
            }
        }
        entries = seen.filter { reads - $0.lastSeen < Self.memory }
    }

    /// Takes what the ladder found in the picture. It stays as long as the picture does: the reads that follow don't look for it in
    /// the ladder's ways. Of another picture than the last read one: nothing.
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
