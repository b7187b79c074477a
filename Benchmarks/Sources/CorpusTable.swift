import Foundation

/// Counts by group.
struct CorpusTable {
    struct Entry {
        var picture: CorpusPicture
        var ours: Verdict
        var union: Verdict
        var milliseconds: Double
    }

    private struct Row {
        var name: String
        var codes = 0
        var ours = (right: 0, wrong: 0)
        var union = (right: 0, wrong: 0)
    }

    private let entries: [Entry]
    private let rows: [Row]

    init(_ entries: [Entry]) {
        self.entries = entries
        var rows: [Row] = []
        for entry in entries {
            let name = entry.picture.set + "/" + entry.picture.group
            if rows.last?.name != name { rows.append(Row(name: name)) }
            rows[rows.count - 1].codes += entry.picture.codeCount
            rows[rows.count - 1].ours.right += entry.ours.right.count
            rows[rows.count - 1].ours.wrong += entry.ours.wrong.count
            rows[rows.count - 1].union.right += entry.union.right.count
            rows[rows.count - 1].union.wrong += entry.union.wrong.count
        }
        self.rows = rows
    }

    private var total: Row {
        var total = Row(name: "all")
        for row in rows {
            total.codes += row.codes
            total.ours = (total.ours.right + row.ours.right, total.ours.wrong + row.ours.wrong)
            total.union = (total.union.right + row.union.right, total.union.wrong + row.union.wrong)
        }
        return total
    }

    /// Goals that aren't reached, in words: at least as many right as the union of both libraries' defaults, at most half as
    /// many wrong.
    var missedGoals: [String] {
        let (ours, union) = (total.ours, total.union)
        var missed: [String] = []
        if ours.right < union.right {
            missed.append("right: ours \(ours.right), and the goal is at least the union's \(union.right)")
        }
        if 2 * ours.wrong > union.wrong {
            missed.append("wrong: ours \(ours.wrong), and the goal is at most half of the union's \(union.wrong)")
        }
        return missed
    }

    /// For people.
    var text: String {
        let total = total
        var lines = [line("group", "codes", "right", "wrong", "union right", "union wrong")]
        for row in rows + [total] {
            lines.append(
                line(
                    row.name, "\(row.codes)", "\(row.ours.right)", "\(row.ours.wrong)", "\(row.union.right)",
                    "\(row.union.wrong)"))
        }
        let times = entries.map(\.milliseconds).sorted()
        if !times.isEmpty {
            lines.append(
                String(
                    format:
                        "right: %.3f of the union's (goal 1 or more); wrong: %.3f of the union's (goal 0.5 or less)",
                    Double(total.ours.right) / Double(max(total.union.right, 1)),
                    Double(total.ours.wrong) / Double(max(total.union.wrong, 1))))
            lines.append(
                String(
                    format: "processor time a picture: median %.0f ms, 90 %% within %.0f ms, most %.0f ms",
                    times[times.count / 2], times[times.count * 9 / 10], times[times.count - 1]))
        }
        return lines.joined(separator: "\n")
    }

    /// Pictures where we lost or erred, and those where only we were right.
    var details: String {
        entries.flatMap { entry -> [String] in
            var lines: [String] = []
            let path = entry.picture.path
            if !entry.union.right.subtracting(entry.ours.right).isEmpty { lines.append("lost to the union: \(path)") }
            if entry.picture.isCounted && entry.ours.right.count < entry.picture.codeCount {
                lines.append("missed: \(path) \(entry.ours.right.count)/\(entry.picture.codeCount)")
            }
            lines += entry.ours.wrong.map { "wrong: \(path) \($0.debugDescription)" }
            if entry.milliseconds > 1000 { lines.append("slow: \(path) \(Int(entry.milliseconds)) ms") }
            return lines
        }.joined(separator: "\n")
    }

    /// The file that is kept in the tree.
    var expected: String {
        var counts = CorpusCounts()
        for row in rows {
            counts.groups[row.name] = CorpusCounts.Count(right: row.ours.right, wrong: row.ours.wrong)
        }
        return counts.file(by: "scanstation-bench corpus --update")
    }

    /// One line a group that differs.
    func differences(from file: String) -> [String] {
        var expected = CorpusCounts(file: file).groups
        var lines: [String] = []
        for row in rows {
            let old = expected.removeValue(forKey: row.name) ?? CorpusCounts.Count()
            guard (old.right, old.wrong) != row.ours else { continue }
            let better = row.ours.right >= old.right && row.ours.wrong <= old.wrong
            lines.append(
                "\(better ? "won" : "lost"): \(row.name) right \(old.right) → \(row.ours.right), "
                    + "wrong \(old.wrong) → \(row.ours.wrong)")
        }
        return lines + expected.keys.sorted().map { "gone: \($0)" }
    }

    private func line(_ name: String, _ numbers: String...) -> String {
        let padded = numbers.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(1, 28 - name.count)) + padded.joined()
    }
}
