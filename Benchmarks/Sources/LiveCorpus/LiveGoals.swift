import Foundation

/// What live reading is held to, beside the ten lines and our reader of stills in the same run.
struct LiveGoals {
    /// How many codes were shown.
    var codes: Int
    var hold: Hold
    /// `nil`: not among the contestants.
    var peers: LiveTally?
    var stills: LiveTally?

    /// Ours may miss at most this fraction of what the ten lines miss.
    static let misses = 0.85
    /// Ours reads at least this fraction of what our reader of stills reads.
    static let ofStills = 0.98
    /// Milliseconds to the scan in the median: a frame. In a hand, the lens focuses longer than that.
    static let median = 1000 / VirtualCamera.framesPerSecond

    struct Line {
        var isHeld: Bool
        var text: String
    }

    func lines(_ ours: LiveTally) -> [Line] {
        [
            Line(
                isHeld: ours.wrong == 0 && ours.repeated == 0,
                text: "wrong \(ours.wrong), scanned again \(ours.repeated) (goal 0)")
        ] + (peers.map { besidePeers(ours, $0) } ?? []) + (stills.map { [besideStills(ours, $0)] } ?? []) + median(ours)
    }

    private func median(_ ours: LiveTally) -> [Line] {
        guard hold == .still, ours.right > 0 else { return [] }
        let time = ours.read.median
        return [
            Line(
                isHeld: time <= Self.median,
                text: String(format: "median %.0f ms to the scan (goal: a frame, %.0f ms)", time, Self.median))
        ]
    }

    private func besidePeers(_ ours: LiveTally, _ peers: LiveTally) -> [Line] {
        var lines: [Line] = []
        if peers.right < codes {
            let ratio = Double(codes - ours.right) / Double(codes - peers.right)
            lines.append(
                Line(
                    isHeld: ratio <= Self.misses,
                    text: String(format: "misses %.2f of the ten lines' (goal %.2f or less)", ratio, Self.misses)))
        }
        let common = ours.common(with: peers)
        if !common.ours.isEmpty {
            let (late, theirs) = (common.ours.quantile(0.9), common.theirs.quantile(0.9))
            lines.append(
                Line(
                    isHeld: late <= theirs,
                    text: String(
                        format: "of the %d codes that both read: median %.0f ms to their %.0f, p90 %.0f to their %.0f "
                            + "(goal: p90 no later)", common.ours.count, common.ours.median, common.theirs.median, late,
                        theirs)))
        }
        let (late, theirs) = (ours.shown(of: codes).quantile(0.9), peers.shown(of: codes).quantile(0.9))
        lines.append(
            Line(
                isHeld: late <= theirs,
                text: "nine of ten codes that are shown: \(Self.when(late)), the ten lines \(Self.when(theirs)) "
                    + "(goal: no later)"))
        return lines
    }

    private func besideStills(_ ours: LiveTally, _ stills: LiveTally) -> Line {
        let read = stills.times.keys.filter { ours.times[$0] != nil }.count
        let part = stills.right == 0 ? 1 : Double(read) / Double(stills.right)
        return Line(
            isHeld: part >= Self.ofStills,
            text: String(
                format: "%.1f %% of the %d that the reader of stills reads (goal %.0f %% or more), and %d besides",
                part * 100, stills.right, Self.ofStills * 100, ours.right - read))
    }

    private static func when(_ time: Double) -> String {
        time < .infinity ? String(format: "within %.0f ms", time) : "never"
    }
}
