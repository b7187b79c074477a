/// Where dark pixels lie close to each other: a code with paper around it is one such patch.
struct DarkPatches {
    /// The convex hull of each patch that may be a code, the largest first. Its corners go round clockwise, as seen in a picture.
    let hulls: [[Place]]

    /// Light is compared with its mean over so many pixels on each side, at least.
    private static let leastReach = 12
    /// And over this part of the picture's shorter side.
    private static let reachPart = 12
    private static let mostPatches = 64
    /// Pixels of a patch's shorter side: eight modules.
    private static let shortestSide = 10
    /// A patch that is longer by this factor is no code.
    private static let mostAspect = 6
    /// The part of a patch's rectangle that is dark, at least: half of a code's modules are, dots leave a part of each light, and a code that is turned
    /// fills half of its rectangle.
    private static let leastDark = 0.06

    /// - Parameter gap: pixels that may be light between dark ones of a patch.
    init(_ samples: LumaSamples, gap: Int) {
        var runs = DarkRuns(gap: gap, pixels: samples.width * samples.height)
        let reach = max(Self.leastReach, min(samples.width, samples.height) / Self.reachPart)
        var darkPixels = DarkPixels(samples, reach: reach)
        var dark = [Bool](repeating: false, count: samples.width)
        for row in 0..<samples.height {
            darkPixels.look(atRow: row, into: &dark)
            runs.add(dark, row: row)
        }
        let patches = runs.patches().filter { Self.mayBeCode($0.value) }.sorted { $0.value.dark > $1.value.dark }
        let kept = patches.prefix(Self.mostPatches)
        let ends = runs.ends(of: Set(kept.map(\.key)))
        hulls = kept.map { ConvexHull.corners(of: ends[$0.key] ?? []) }
    }

    private static func mayBeCode(_ patch: DarkPatch) -> Bool {
        let (width, height) = (patch.columns.count, patch.rows.count)
        let (shorter, longer) = (min(width, height), max(width, height))
        return shorter >= shortestSide && longer <= mostAspect * shorter
            && Double(patch.dark) >= leastDark * Double(width * height)
    }
}

/// What is known of a patch while it grows.
private struct DarkPatch {
    private(set) var columns: ClosedRange<Int>
    private(set) var rows: ClosedRange<Int>
    /// Pixels.
    private(set) var dark: Int

    init(_ columns: Range<Int>, row: Int, dark: Int) {
        (self.columns, rows, self.dark) = (columns.lowerBound...(columns.upperBound - 1), row...row, dark)
    }

    mutating func take(_ other: DarkPatch) {
        columns = min(columns.lowerBound, other.columns.lowerBound)...max(columns.upperBound, other.columns.upperBound)
        rows = min(rows.lowerBound, other.rows.lowerBound)...max(rows.upperBound, other.rows.upperBound)
        dark += other.dark
    }
}

/// Runs of dark pixels, joined with those of the rows above that are near.
private struct DarkRuns {
    private let gap: Int
    private var runs: [(row: Int, columns: Range<Int>)] = []
    /// More runs than so many, and one for each so many pixels, are noise or hatching, and none of them is kept: their number bounds time and memory (72 bytes
    /// each). 1280 × 720 pixels full of codes with modules of two pixels have about 200,000,
    /// one for each four to five pixels.
    private static let mostRuns = (always: 200_000, pixels: 8)
    private let mostRuns: Int
    /// Of each run: another one of its patch; itself, if it is the one that the patch is known by.
    private var parents: [Int] = []
    private var known: [DarkPatch] = []
    private var isFull = false
    /// The first run of each of the last rows, the latest one last.
    private var recent: [(row: Int, first: Int)] = []

    init(gap: Int, pixels: Int) {
        self.gap = gap
        mostRuns = Self.mostRuns.always + pixels / Self.mostRuns.pixels
    }

    /// Rows come from the top to the bottom.
    mutating func add(_ dark: [Bool], row: Int) {
        guard runs.count + dark.count / 2 < mostRuns else {
            isFull = true
            return
        }
        recent.removeAll { row - $0.row > gap + 1 }
        let first = runs.count
        var run: (columns: Range<Int>, dark: Int)?
        for column in dark.indices where dark[column] {
            if let last = run, column - last.columns.upperBound <= gap {
                run = (last.columns.lowerBound..<(column + 1), last.dark + 1)
            } else {
                if let run { add(run.columns, dark: run.dark, row: row) }
                run = (column..<(column + 1), 1)
            }
        }
        if let run { add(run.columns, dark: run.dark, row: row) }
        // Both rows' runs are in order: one way through each row above is enough.
        for (index, above) in recent.enumerated() {
            let end = index + 1 < recent.count ? recent[index + 1].first : first
            var upper = above.first
            for lower in first..<runs.count {
                let columns = runs[lower].columns
                while upper < end, runs[upper].columns.upperBound + gap < columns.lowerBound { upper += 1 }
                var other = upper
                while other < end, runs[other].columns.lowerBound <= columns.upperBound + gap {
                    join(other, lower)
                    other += 1
                }
            }
        }
        recent.append((row, first))
    }

    private mutating func add(_ columns: Range<Int>, dark: Int, row: Int) {
        parents.append(runs.count)
        runs.append((row, columns))
        known.append(DarkPatch(columns, row: row, dark: dark))
    }

    private mutating func root(_ run: Int) -> Int {
        var root = run
        while parents[root] != root { root = parents[root] }
        var next = run
        while next != root { (parents[next], next) = (root, parents[next]) }
        return root
    }

    private mutating func join(_ first: Int, _ second: Int) {
        let (first, second) = (root(first), root(second))
        guard first != second else { return }
        let (kept, lost) = (min(first, second), max(first, second))
        parents[lost] = kept
        known[kept].take(known[lost])
    }

    /// By the run that each is known by; none if there were too many runs.
    func patches() -> [(key: Int, value: DarkPatch)] {
        isFull ? [] : parents.indices.filter { parents[$0] == $0 }.map { (key: $0, value: known[$0]) }
    }

    /// For some patches, the corners of the first and the last pixel of each row.
    mutating func ends(of patches: Set<Int>) -> [Int: [Place]] {
        guard !patches.isEmpty else { return [:] }
        var ends: [Int: [Place]] = [:]
        var rows: [Int: (row: Int, columns: Range<Int>)] = [:]
        for (index, run) in runs.enumerated() {
            let patch = root(index)
            guard patches.contains(patch) else { continue }
            if let last = rows[patch], last.row == run.row {
                rows[patch] = (run.row, last.columns.lowerBound..<run.columns.upperBound)
            } else {
                if let last = rows[patch] { ends[patch, default: []] += Self.corners(last.row, last.columns) }
                rows[patch] = (run.row, run.columns)
            }
        }
        for (patch, last) in rows { ends[patch, default: []] += Self.corners(last.row, last.columns) }
        return ends
    }

    private static func corners(_ row: Int, _ columns: Range<Int>) -> [Place] {
        let (left, right, top) = (Float(columns.lowerBound), Float(columns.upperBound), Float(row))
        return [Place(left, top), Place(left, top + 1), Place(right, top), Place(right, top + 1)]
    }
}
