import Vocabulary

/// A Data Matrix that is bent, seen at a flat angle, out of focus or partly hidden, as the soft reader saw it.
package struct DataMatrixReading: Sendable {
    package let symbol: RestoredDataMatrix
    /// In pixels of the picture; where its author's top left corner is, first.
    package let corners: Quad
}

/// Reads Data Matrix codes that readers for flat paper can't: from the outline of a dark patch with paper around it, whose sides show two solid and two
/// broken borders, it follows the edges between modules through the whole code. Dark on light, and not mirrored: other readers see those.
package struct DataMatrixReader: Sendable {
    /// Modules that are looked at on the way, in all tries, and places along borders, which take about as long. About 100 ms on a PC.
    private static let mostWork = 600_000
    /// The same at one place, so that a large patch leaves something to others: one try at the largest size takes 225,000.
    private static let mostWorkAtPlace = 250_000
    /// What may be tried at a patch, the likeliest first.
    private static let mostTries = 8
    /// Of the drawn codes that were read, none had more than 1.2.
    private static let mostUnlikeness: Float = 1.5
    /// The part of what is around an outline that may be dark.
    private static let mostTouched: Float = 0.1
    /// Levels of light between ink and paper.
    private static let leastContrast: Float = 12
    /// Pixels a module.
    private static let leastModule: Float = 0.8
    /// How many times as long modules may be as they are wide.
    private static let mostUneven: Float = 2.5

    private let decoder = DataMatrixDecoder()
    private let layouts = DataMatrixLayout.Size.all.map { DataMatrixLayout($0) }

    package init() {}

    /// Those in `samples`, each once: of a crowd only some. Their pixels must stay valid until this returns; nothing of them is kept.
    /// - Parameter isKnown: whether a place, in pixels, needn't be looked at.
    package func read(_ samples: LumaSamples, isKnown: (Point) -> Bool = { _ in false }) -> [DataMatrixReading] {
        var found: [DataMatrixReading] = []
        var work = 0
        for outlines in OutlineSearch(samples).groups {
            guard work < Self.mostWork else { break }
            guard
                !outlines.isWithin(where: { place in isKnown(place) || found.contains { $0.corners.contains(place) } })
            else { continue }
            let limit = min(Self.mostWork, work + Self.mostWorkAtPlace)
            if let reading = read(samples, outlines, work: &work, limit: limit) { found.append(reading) }
        }
        return found
    }

    private struct Try {
        let layout: DataMatrixLayout
        let flat: Homography
        let borders: SeenBorders
        let touched: Float

        /// How little it looks like a code, of another one at the same place.
        var unlikeness: Float { borders.misfit - 2 * borders.solid + 10 * touched }
    }

    /// - Parameters:
    ///   - work: what was done so far, as `mostWork` counts it.
    ///   - limit: how much of it there may be.
    private func read(
        _ samples: LumaSamples, _ outlines: OutlineGroup, work: inout Int, limit: Int
    ) -> DataMatrixReading? {
        let tries = outlines.corners.flatMap { self.tries(samples, $0, work: &work, limit: limit) }
        for attempt in tries.sorted(by: { $0.unlikeness < $1.unlikeness }).prefix(Self.mostTries)
        where attempt.unlikeness <= Self.mostUnlikeness {
            for stiffness in BentGrid.stiffnesses {
                guard work < limit else { return nil }
                var grid = BentGrid(attempt.flat, attempt.borders, attempt.layout, stiffness: stiffness)
                let isFollowed = grid.follow(samples)
                work += grid.work
                guard isFollowed else { break }
                if let reading = self.reading(samples, grid, as: attempt.layout) { return reading }
            }
        }
        return nil
    }

    private func tries(_ samples: LumaSamples, _ corners: [Place], work: inout Int, limit: Int) -> [Try] {
        guard work < limit, let scan = OutlineScan(samples, corners, leastContrast: Self.leastContrast) else {
            return []
        }
        work += 8 * scan.count
        guard scan.touched <= Self.mostTouched else { return [] }
        var tries: [Try] = []
        for turn in 0..<4 {
            let turned: [Place] = (0..<4).map { corners[($0 + turn) % 4] }
            let sides: [Float] = (0..<4).map { (turned[($0 + 1) % 4] - turned[$0]).length }
            let (across, down) = ((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)
            for layout in layouts {
                let (width, height) = (across / Float(layout.columns), down / Float(layout.rows))
                guard min(width, height) >= Self.leastModule,
                    max(width, height) <= Self.mostUneven * min(width, height),
                    let flat = Homography(layout, corners: turned)
                else { continue }
                for isBent in [false, true] {
                    work += scan.count / 4
                    let borders = SeenBorders(scan, turn: turn, layout: layout, isBent: isBent)
                    guard let borders else { continue }
                    work += scan.count
                    tries.append(Try(layout: layout, flat: flat, borders: borders, touched: scan.touched))
                }
            }
        }
        return tries
    }

    /// Whether a place is in the picture, or less than its size beside it; what isn't a number isn't.
    private func isNear(_ place: Point, _ samples: LumaSamples) -> Bool {
        let (width, height) = (Double(samples.width), Double(samples.height))
        return (-width...(2 * width)).contains(place.x) && (-height...(2 * height)).contains(place.y)
    }

    private func reading(
        _ samples: LumaSamples, _ grid: BentGrid, as layout: DataMatrixLayout
    ) -> DataMatrixReading? {
        let columns = grid.plan.columns
        let restored = grid.restored(samples) { values in
            // Without the ring of quiet zone.
            let inner = (0..<layout.rows).flatMap { row -> ArraySlice<Float> in
                let first = (row + 1) * columns + 1
                return values[first..<(first + layout.columns)]
            }
            return decoder.decode(inner, as: layout)
        }
        guard let symbol = restored else { return nil }
        let (right, bottom) = (Float(layout.columns) + 1, Float(layout.rows) + 1)
        let corners = [Place(1, 1), Place(right, 1), Place(right, bottom), Place(1, bottom)].map {
            grid.place($0).point(times: 1)
        }
        guard corners.allSatisfy({ isNear($0, samples) }) else { return nil }
        return DataMatrixReading(symbol: symbol, corners: Quad(corners[0], corners[1], corners[2], corners[3]))
    }
}
