/// The rectangle of interest on the upright frame. Codes outside it aren't read.
package struct Viewport: Hashable, Sendable {
    package enum Rule: String, CaseIterable, Hashable, Sendable {
        /// The code's centre lies inside.
        case centre
        /// All of its corners lie inside.
        case entire
    }

    package var rect: Rect
    package var rule: Rule

    package init(rect: Rect = .unit, rule: Rule = .centre) {
        self.rect = rect
        self.rule = rule
    }

    package static let full = Viewport()

    package func admits(_ corners: Quad) -> Bool {
        switch rule {
        case .centre: rect.contains(corners.centre)
        case .entire: corners.points.allSatisfy(rect.contains)
        }
    }
}
