/// How long each output took to be whole again after each trouble: the longest of the rounds.
struct RecoveryTable {
    private var seconds: [NetworkTrouble: [String: Double]] = [:]
    private var rounds: [NetworkTrouble: Int] = [:]

    mutating func add(_ trouble: NetworkTrouble, _ output: String, _ took: Double) {
        seconds[trouble, default: [:]][output] = max(took, seconds[trouble]?[output] ?? 0)
    }

    mutating func count(_ trouble: NetworkTrouble) { rounds[trouble, default: 0] += 1 }

    private func times(_ trouble: NetworkTrouble) -> Int { rounds[trouble, default: 0] }

    func longest(_ trouble: NetworkTrouble) -> Double { seconds[trouble]?.values.max() ?? 0 }

    func lines(_ outputs: [String]) -> [String] {
        func row(_ name: String, _ cells: [String]) -> String {
            let padded = name + String(repeating: " ", count: max(0, 20 - name.count))
            return padded + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
        }
        var lines = [row("seconds until whole", outputs + ["limit"])]
        for trouble in NetworkTrouble.allCases where times(trouble) > 0 {
            let cells = outputs.map { output in
                seconds[trouble]?[output].map(Self.text) ?? "-"
            }
            lines.append(row(trouble.words, cells + [Self.text(trouble.limit.seconds)]))
        }
        return lines
    }

    static func text(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
}
