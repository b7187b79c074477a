/// The rectangle of interest on the upright frame. A code outside of it is not read.
public struct Viewport: Hashable, Sendable {
    public enum Rule: String, CaseIterable, Hashable, Sendable {
        /// The code's centre lies inside.
        case centre
        /// All of its corners lie inside.
        case entire
    }

    public var rect: Rect
    public var rule: Rule

    public init(rect: Rect = .unit, rule: Rule = .centre) {
        self.rect = rect
        self.rule = rule
    }

    public static let full = Viewport()

    public func admits(_ corners: Quad) -> Bool {
        switch rule {
        case .centre: rect.contains(corners.centre)
        case .entire: corners.points.allSatisfy(rect.contains)
        }
    }
}
