/// Where a code may begin and end, near the ends of the line that it was said to be on: where bars follow a quiet zone.
struct CodeEnds {
    /// Places of the first bar's left edge, in pixels along the line, the likeliest first.
    let left: [Float]
    let right: [Float]

    /// Less darkness is paper. Low, as a blurred guard is grey.
    private static let paper: Float = 0.22
    /// Shorter runs of paper, as a part of the line's length, are spaces.
    private static let leastQuiet: Float = 0.022
    private static let mostQuiet: Float = 0.16
    /// Candidates for each end.
    private static let most = 2

    /// As much paper, as a part of the length, is more than a space.
    private static let sureQuiet: Float = 0.048
    /// Where nothing shows an end: places so far apart, as a part of the length. The search allows for what lies between.
    private static let gridStep: Float = 0.016

    /// - Parameter reach: how far off the ends of the line may be, as a part of its length.
    init(_ profile: EvenProfile, length: Float, reach: Float) {
        let first = Self.candidates(profile, length, reach)
        let last = Self.candidates(profile.reversed(length: length), length, reach)
        // One quiet zone must show; the other may be dirty, or missing.
        left = last.isSure && !first.isSure ? first.places + Self.grid(length) : first.places
        right = (first.isSure && !last.isSure ? last.places + Self.grid(length) : last.places).map { length - $0 }
    }

    private static func grid(_ length: Float) -> [Float] {
        stride(from: -0.064, through: 0.064, by: gridStep).map { $0 * length }
    }

    private static func candidates(
        _ profile: EvenProfile, _ length: Float, _ reach: Float
    ) -> (places: [Float], isSure: Bool) {
        let darkness = profile.darkness
        let from = max(0, profile.index(-reach * length))
        let to = min(darkness.count - 1, profile.index(reach * length))
        var found: [(place: Float, quiet: Float)] = []
        guard from < to else { return ([0], false) }
        for index in from..<to where darkness[index] < paper && darkness[index + 1] >= paper {
            var start = index
            while start > 0, darkness[start - 1] < paper { start -= 1 }
            let quiet = Float(index - start) * profile.step
            guard quiet >= leastQuiet * length else { continue }
            let part = (paper - darkness[index]) / (darkness[index + 1] - darkness[index])
            found.append((profile.place(index) + part * profile.step, min(quiet, mostQuiet * length)))
        }
        guard !found.isEmpty else { return ([0], false) }
        found.sort { $0.quiet > $1.quiet }
        // A long quiet zone needs no second opinion.
        let longest = found[0].quiet
        let isSure = longest > sureQuiet * length
        return (found.prefix(most).filter { $0.quiet > 0.6 * longest || !isSure }.map(\.place), isSure)
    }
}
