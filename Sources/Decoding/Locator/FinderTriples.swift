import Glibc
import Vocabulary

/// Which finder patterns belong to one QR code: three, at the corners of about half a square.
struct FinderTriples {
    /// Between the centres of two patterns at one side, in modules: 14 in the smallest code, 170 in the largest, less if seen obliquely.
    private static let sides: ClosedRange<Float> = 9...175
    /// How many times longer one side may look than the other, and one pattern than another.
    private static let mostOblique: Float = 1.7
    /// The largest cosine of the angle at the corner.
    private static let mostSlanted: Float = 0.4
    /// The width of a pattern, in modules.
    private static let finder: Float = 7
    /// A pattern without others may be a Micro QR code's: this far from its centre, in modules.
    private static let singleReach: Float = 15

    /// What pairs and single patterns score, whatever they look like. Triples score more the better they fit.
    static let pairScore = 2.0
    private static let singleScore = 1.0

    let finders: [FinderSearch.Finder]

    /// How much longer a side of a code is than a pair of its patterns is apart, in modules: they may be at opposite corners.
    private static let beyondPair: Float = 10

    /// Regions of the triples, those that fit best first; then those of the patterns that are left: pairs, and single ones.
    func regions(mostSingles: Int) -> [LocatedRegion] {
        var candidates: [(corner: Int, a: Int, b: Int, misfit: Float)] = []
        for corner in finders.indices {
            for a in finders.indices where a != corner {
                for b in finders.indices where b > a && b != corner {
                    if let misfit = misfit(corner, a, b) { candidates.append((corner, a, b, misfit)) }
                }
            }
        }
        var isUsed = [Bool](repeating: false, count: finders.count)
        var regions: [LocatedRegion] = []
        for triple in candidates.sorted(by: { $0.misfit < $1.misfit })
        where !isUsed[triple.corner] && !isUsed[triple.a] && !isUsed[triple.b] {
            isUsed[triple.corner] = true
            isUsed[triple.a] = true
            isUsed[triple.b] = true
            regions.append(region(triple.corner, triple.a, triple.b, misfit: triple.misfit))
        }
        regions += pairs(&isUsed)
        let singles = finders.indices.filter { !isUsed[$0] }.sorted { finders[$0].rowCount > finders[$1].rowCount }
        return regions + singles.prefix(mostSingles).map { region(around: finders[$0]) }
    }

    /// Pairs each pattern that is left with the nearest one that may belong to it: the third one of their code wasn't found.
    private func pairs(_ isUsed: inout [Bool]) -> [LocatedRegion] {
        var candidates: [(a: Int, b: Int, distance: Float)] = []
        for a in finders.indices where !isUsed[a] {
            for b in finders.indices where b > a && !isUsed[b] {
                let (first, second) = (finders[a], finders[b])
                let distance = hypot(second.x - first.x, second.y - first.y)
                let module = (first.module + second.module) / 2
                guard first.isLight == second.isLight, Self.sides.contains(distance / module),
                    max(first.module, second.module) <= Self.mostOblique * min(first.module, second.module)
                else { continue }
                candidates.append((a, b, distance / module))
            }
        }
        var regions: [LocatedRegion] = []
        for pair in candidates.sorted(by: { $0.distance < $1.distance }) where !isUsed[pair.a] && !isUsed[pair.b] {
            isUsed[pair.a] = true
            isUsed[pair.b] = true
            let (a, b) = (finders[pair.a], finders[pair.b])
            let module = (a.module + b.module) / 2
            let distance = pair.distance * module
            // The rest of the code may be on either side.
            regions.append(
                LocatedRegion(
                    kind: .finders, centre: Point(x: Double(a.x + b.x) / 2, y: Double(a.y + b.y) / 2),
                    direction: LocatedRegion.folded(Double(atan2(b.y - a.y, b.x - a.x))),
                    length: Double(distance + Self.beyondPair * module),
                    height: Double(2 * distance + Self.beyondPair * module), module: Double(module),
                    score: Self.pairScore))
        }
        return regions
    }

    /// How far three patterns are from half a square; `nil`: too far.
    private func misfit(_ corner: Int, _ first: Int, _ second: Int) -> Float? {
        let (c, a, b) = (finders[corner], finders[first], finders[second])
        guard c.isLight == a.isLight, a.isLight == b.isLight else { return nil }
        let modules = [c.module, a.module, b.module]
        let (least, most) = (modules.min() ?? 0, modules.max() ?? 0)
        guard most <= Self.mostOblique * least else { return nil }
        let (ax, ay, bx, by) = (a.x - c.x, a.y - c.y, b.x - c.x, b.y - c.y)
        let (sideA, sideB) = ((ax * ax + ay * ay).squareRoot(), (bx * bx + by * by).squareRoot())
        let module = modules.reduce(0, +) / 3
        guard Self.sides.contains(sideA / module), Self.sides.contains(sideB / module),
            max(sideA, sideB) <= Self.mostOblique * min(sideA, sideB)
        else { return nil }
        let cosine = abs(ax * bx + ay * by) / (sideA * sideB)
        guard cosine <= Self.mostSlanted else { return nil }
        // Among equal fits the nearest patterns belong together: codes stand in rows.
        return cosine + (max(sideA, sideB) / min(sideA, sideB) - 1) + (most / least - 1)
            + (sideA + sideB) / module / 100
    }

    private func region(_ corner: Int, _ first: Int, _ second: Int, misfit: Float) -> LocatedRegion {
        let (c, a, b) = (finders[corner], finders[first], finders[second])
        let (ax, ay, bx, by) = (a.x - c.x, a.y - c.y, b.x - c.x, b.y - c.y)
        let direction = atan2(ay, ax)
        let module = (c.module + a.module + b.module) / 3
        // The other two corners' patterns, along the direction and across it.
        let (cosine, sine) = (cos(direction), sin(direction))
        let along = max((ax * ax + ay * ay).squareRoot(), abs(cosine * bx + sine * by))
        let across = abs(cosine * by - sine * bx)
        return LocatedRegion(
            kind: .finders, centre: Point(x: Double(a.x + b.x) / 2, y: Double(a.y + b.y) / 2),
            direction: LocatedRegion.folded(Double(direction)), length: Double(along + Self.finder * module),
            height: Double(across + Self.finder * module), module: Double(module), score: Double(10 / (1 + misfit)))
    }

    private func region(around finder: FinderSearch.Finder) -> LocatedRegion {
        let side = Double(2 * Self.singleReach * finder.module)
        return LocatedRegion(
            kind: .finders, centre: Point(x: Double(finder.x), y: Double(finder.y)), direction: 0, length: side,
            height: side, module: Double(finder.module), score: Self.singleScore)
    }
}
