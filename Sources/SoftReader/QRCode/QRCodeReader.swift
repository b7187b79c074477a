import Vocabulary

/// A QR code that is bent, crumpled, seen at a flat angle, or partly hidden by glare, as the soft reader saw it.
package struct QRCodeReading: Sendable {
    package let symbol: RestoredSymbol
    /// In pixels of the picture; where its author's top left corner is, first.
    package let corners: Quad
}

/// Reads QR codes that readers for flat paper can't: from three finder patterns it follows the edges between modules through the whole code, and takes
/// what glare and folds hide for unknown instead of wrong. Dark on light, and not mirrored: other readers see those.
package struct QRCodeReader: Sendable {
    /// Larger codes, in modules, take too long, and are seldom crumpled.
    private static let mostSide = 97
    /// Copies of half the size, and a quarter: modules of many pixels have texture, and folds break their edges.
    private static let levels = 3
    private static let shortestSide = 64
    /// Modules that are looked at on the way, in all tries. About 100 ms on a PC; the first try may take more.
    private static let mostWork = 600_000

    private let decoder = SymbolDecoder()

    package init() {}

    /// Those in `samples`, each once: of a crowd only some. Their pixels must stay valid until this returns; nothing of them is kept.
    package func read(_ samples: LumaSamples) -> [QRCodeReading] {
        var found: [QRCodeReading] = []
        var work = 0
        samples.forEachHalving(levels: Self.levels, shortestSide: Self.shortestSide) { samples, scale in
            read(samples, scale: Double(scale), into: &found, work: &work)
        }
        return found
    }

    /// - Parameters:
    ///   - scale: pixels of the picture to one of this copy of it.
    ///   - work: what was done so far, as `mostWork` counts it.
    private func read(_ samples: LumaSamples, scale: Double, into found: inout [QRCodeReading], work: inout Int) {
        guard work < Self.mostWork else { return }
        let patterns = FinderPatternSearch(samples: samples).patterns()
        for triple in FinderTriple.all(of: patterns)
        where !found.contains(where: { triple.touches($0.corners, scale: scale) }) {
            tries: for side in triple.sides where side <= Self.mostSide {
                guard let layout = SymbolLayout(side: side), let flat = Homography(triple, side: side) else { continue }
                for stiffness in BentGrid.stiffnesses {
                    guard work < Self.mostWork else { return }
                    var grid = BentGrid(flat, triple, side: side, stiffness: stiffness)
                    let isFollowed = grid.follow(samples)
                    work += grid.work
                    // Mostly these aren't three patterns of a code of this side; then how much bending costs changes nothing.
                    guard isFollowed else { break }
                    guard let reading = reading(samples, grid, as: layout, scale: scale) else { continue }
                    found.append(reading)
                    break tries
                }
            }
        }
    }

    private func reading(
        _ samples: LumaSamples, _ grid: BentGrid, as layout: SymbolLayout, scale: Double
    ) -> QRCodeReading? {
        guard let symbol = grid.restored(samples, by: { decoder.decode($0, as: layout) }) else { return nil }
        let end = Float(layout.side)
        let corners = [Place(0, 0), Place(end, 0), Place(end, end), Place(0, end)].map {
            grid.place($0).point(times: scale)
        }
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        return QRCodeReading(symbol: symbol, corners: Quad(corners[0], corners[1], corners[2], corners[3]))
    }
}

extension FinderTriple {
    /// Whether it shares a pattern with a code, or has it in its middle.
    fileprivate func touches(_ code: Quad, scale: Double) -> Bool {
        [corner.centre, right.centre, below.centre, middle].contains { code.contains($0.point(times: scale)) }
    }
}
