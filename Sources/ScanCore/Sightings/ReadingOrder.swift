import Vocabulary

/// The order in which a person reads codes: rows from the top, each from the left.
enum ReadingOrder {
    /// `items` by their corners. A code belongs to a row when its centre is within half the height of the row's topmost code;
    /// codes at equal positions are ordered by symbology and data, so that the result is deterministic.
    static func sorted<Item>(_ items: [Item], by symbol: (Item) -> Symbol) -> [Item] {
        guard items.count > 1 else { return items }
        let fromTop = items.map { item in
            let symbol = symbol(item)
            return Entry(
                item: item, symbol: symbol, centre: symbol.corners.centre,
                halfHeight: symbol.corners.bounds.height / 2)
        }.sorted { (a: Entry<Item>, b: Entry<Item>) in
            if a.centre.y != b.centre.y { return a.centre.y < b.centre.y }
            if a.centre.x != b.centre.x { return a.centre.x < b.centre.x }
            if a.symbol.symbology != b.symbol.symbology { return a.symbol.symbology < b.symbol.symbology }
            return a.symbol.bytes.lexicographicallyPrecedes(b.symbol.bytes)
        }
        var rows: [[Entry<Item>]] = []
        for entry in fromTop {
            if let first = rows.last?.first, entry.centre.y - first.centre.y <= first.halfHeight {
                rows[rows.count - 1].append(entry)
            } else {
                rows.append([entry])
            }
        }
        return rows.flatMap { row in
            row.enumerated().sorted { ($0.element.centre.x, $0.offset) < ($1.element.centre.x, $1.offset) }
                .map(\.element.item)
        }
    }

    private struct Entry<Item> {
        let item: Item
        let symbol: Symbol
        let centre: Point
        let halfHeight: Double
    }
}
