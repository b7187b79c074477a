/// Finds the finder patterns in a picture, also those that are bent, seen at an angle or have cracks: rows that cross 1:1:3:1:1 roughly, and then
/// rays in all directions.
struct FinderPatternSearch {
    private static let mostPatterns = 16
    private static let mostTrials = 100
    private static let rowStep = 2
    /// Of two patterns' middles, in modules, at least.
    private static let distance: Float = 3
    /// Stripes and noise have hits everywhere: of a row, so many count in each so many pixels; and so many columns are kept before the best are chosen.
    private static let mostOfBucket = 3
    private static let bucketWidth = 64
    private static let mostFound = 4096
    /// In pixels.
    private static let leastModule: Float = 1.1
    /// Light is compared with its mean over so many pixels on each side, and over this part of the picture.
    private static let leastReach = 12
    private static let reaches = 12

    let samples: LumaSamples

    /// Those that fit best, first.
    func patterns() -> [FinderPattern] {
        var found: [FinderPattern] = []
        for column in columns() {
            func isNear(_ place: Place) -> Bool {
                found.contains { ($0.frame.centre - place).length < Self.distance * $0.frame.module }
            }
            guard !isNear(column.middle),
                let pattern = FinderPattern(samples, near: column.middle, module: column.module),
                !isNear(pattern.frame.centre)
            else { continue }
            found.append(pattern)
        }
        return Array(found.sorted { $0.misfit < $1.misfit }.prefix(Self.mostPatterns))
    }

    /// Hits in rows one below the other: those through the middle of a pattern.
    private struct HitColumn {
        private var sum = Place.zero
        private(set) var count: Float = 0
        private(set) var last: Place
        private(set) var module: Float

        init(_ first: Place, module: Float) {
            (last, self.module) = (first, module)
            add(first, module: module)
        }

        mutating func add(_ place: Place, module: Float) {
            sum += place
            count += 1
            last = place
            self.module = module
        }

        var middle: Place { sum / count }
        /// The part of the rows of a pattern's middle, three modules high, that have a hit.
        var part: Float { count / module }

        /// Too far above a row, in pixels, for its hits.
        func isOver(atRow row: Int) -> Bool { Float(row) + 0.5 - last.y >= 2 * module }

        func isGoneOn(with place: Place, module other: Float) -> Bool {
            abs(last.x - place.x) < 1.5 * module && other < 1.5 * module && module < 1.5 * other
        }
    }

    /// Those that are most like a pattern's, first.
    private func columns() -> [HitColumn] {
        var found: [HitColumn] = []
        // Those that the next row may go on with.
        var open: [HitColumn] = []
        let reach = max(Self.leastReach, min(samples.width, samples.height) / Self.reaches)
        var darkPixels = DarkPixels(samples, reach: reach)
        var dark = [Bool](repeating: false, count: samples.width)
        for row in stride(from: 1, to: samples.height, by: Self.rowStep) {
            darkPixels.look(atRow: row, into: &dark)
            found += open.filter { $0.isOver(atRow: row) }
            open.removeAll { $0.isOver(atRow: row) }
            var ends = (0, 0, 0, 0, 0)
            var wasDark = false
            var (bucket, hits) = (0, 0)
            for column in 0..<samples.width {
                let isDark = dark[column]
                guard isDark != wasDark else { continue }
                wasDark = isDark
                if column / Self.bucketWidth != bucket { (bucket, hits) = (column / Self.bucketWidth, 0) }
                if !isDark, hits < Self.mostOfBucket, let hit = hit(ends, column) {
                    hits += 1
                    let place = Place(hit.middle, Float(row) + 0.5)
                    if let known = open.lastIndex(where: { $0.isGoneOn(with: place, module: hit.module) }) {
                        open[known].add(place, module: hit.module)
                    } else {
                        open.append(HitColumn(place, module: hit.module))
                    }
                }
                ends = (ends.1, ends.2, ends.3, ends.4, column)
            }
            if found.count > Self.mostFound { found = Self.best(of: found) }
        }
        return Self.best(of: found + open)
    }

    private static func best(of columns: [HitColumn]) -> [HitColumn] {
        Array(columns.sorted { $0.part > $1.part }.prefix(mostTrials))
    }

    /// Five runs that begin at `ends`; the last one ends at `end`.
    private func hit(_ ends: (Int, Int, Int, Int, Int), _ end: Int) -> (middle: Float, module: Float)? {
        let module = Float(end - ends.0) / 7
        guard module >= Self.leastModule else { return nil }
        func isNear(_ run: Int, _ modules: Float) -> Bool {
            abs(Float(run) - modules * module) <= (modules > 1 ? 1.2 : 0.6) * module + 0.7
        }
        guard isNear(ends.1 - ends.0, 1), isNear(ends.2 - ends.1, 1), isNear(ends.3 - ends.2, 3),
            isNear(ends.4 - ends.3, 1), isNear(end - ends.4, 1)
        else { return nil }
        return (Float(ends.2 + ends.3) / 2, module)
    }
}
