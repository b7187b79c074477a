extension FollowPlan {
    /// From the ends of both dark borders and the corner between them. There is a ring of one module of quiet zone around the code.
    static func dataMatrix(_ layout: DataMatrixLayout) -> FollowPlan {
        let (columns, rows) = (layout.columns + 2, layout.rows + 2)
        let (right, bottom) = (Float(layout.columns) + 1, Float(layout.rows) + 1)
        let corners = [Place(1, 1), Place(1, bottom), Place(right, bottom)]
        var farthest: Float = 0
        let distances = (0..<(columns * rows)).map { index -> Float in
            let (x, y) = (Float(index % columns) + 0.5, Float(index / columns) + 0.5)
            let distance = corners.map { max(abs(x - $0.x), abs(y - $0.y)) }.min() ?? 0
            farthest = max(farthest, distance)
            return distance
        }
        var (outer, others): ([Pattern.Module], [Pattern.Module]) = ([], [])
        // The solid borders outside, and all others: broken ones, and those inside a large code.
        for (index, border) in layout.borders.enumerated() {
            guard let isDark = border else { continue }
            let (column, row) = (index % layout.columns, index / layout.columns)
            let module = Pattern.Module(index: (row + 1) * columns + column + 1, isDark: isDark)
            if column == 0 || row == layout.rows - 1 { outer.append(module) } else { others.append(module) }
        }
        return FollowPlan(
            columns: columns, rows: rows, distances: distances, farthest: farthest, firstReach: 2.2,
            patterns: [Pattern(modules: outer, least: (0.3, 0.5)), Pattern(modules: others, least: (0.1, 0.3))])
    }
}
