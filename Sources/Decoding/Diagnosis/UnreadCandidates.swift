import Vocabulary

/// Which regions are worth asking why nothing was read there.
struct UnreadCandidates {
    /// The most of each kind that are looked at.
    private static let most = (bars: 6, finders: 4, texture: 4)

    /// The likeliest of each kind first: bars, finder patterns, texture.
    let regions: [LocatedRegion]

    /// - Parameter codes: corners of what was read, in pixels.
    init(_ regions: [LocatedRegion], besides codes: [Quad]) {
        let open = regions.filter { region in !codes.contains { region.belongs(to: $0) } }
        func best(_ kind: LocatedRegion.Kind, _ count: Int) -> [LocatedRegion] {
            Array(open.filter { $0.kind == kind }.prefix(count))
        }
        self.regions =
            [best(.bars, Self.most.bars), best(.finders, Self.most.finders), best(.texture, Self.most.texture)]
            .flatMap { $0 }
    }
}

extension LocatedRegion {
    /// How far around a code its quiet zones, its add-on and what decoders leave out of its corners reach: a part of its longer side. Of bars
    /// often only a line's corners are known.
    private static let surroundings = (linear: 0.6, matrix: 0.25)
    /// A quad this flat, its height against its length, is bars.
    private static let flat = 0.6
    /// A larger place, in sides of the code, is something else around it.
    private static let mostSides = 1.6

    /// Whether it shows what was read, some of it, or what belongs to it.
    func belongs(to code: Quad) -> Bool {
        if corners.contains(code.centre) || code.contains(centre) { return true }
        if corners.points.contains(where: code.contains) || code.points.contains(where: corners.contains) {
            return true
        }
        let sides = code.sides
        let (side, least) = (sides.max() ?? 0, sides.min() ?? 0)
        guard max(length, height) <= Self.mostSides * side else { return false }
        let reach =
            side * (least < Self.flat * side ? Self.surroundings.linear : Self.surroundings.matrix)
        let bounds = code.bounds
        return centre.x >= bounds.x - reach && centre.x <= bounds.right + reach && centre.y >= bounds.y - reach
            && centre.y <= bounds.bottom + reach
    }
}
