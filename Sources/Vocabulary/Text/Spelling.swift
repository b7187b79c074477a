/// Finds the word that was probably meant, for "did you mean".
package enum Spelling {
    /// Longer words aren't typing errors, and not worth the time.
    static let maxLength = 64

    /// The nearest of `candidates`, if it is near: at most about a third of its letters differ, and one typing error is always forgiven.
    /// Case, hyphens and underscores don't count, because people get them wrong first. If none is near: the shortest one that begins with
    /// the word (`qr` for `qr_code`).
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.utf8.count <= maxLength else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(normalised(word), normalised(candidate))
            let limit = max(1, (candidate.count + 1) / 3)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate ?? shortest(beginningWith: normalised(word), among: candidates)
    }

    private static func shortest(beginningWith word: String, among candidates: [String]) -> String? {
        guard word.count >= 2 else { return nil }
        return candidates.filter { normalised($0).hasPrefix(word) }.min { $0.count < $1.count }
    }

    private static func normalised(_ word: String) -> String {
        word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }

    /// Letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b)
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
