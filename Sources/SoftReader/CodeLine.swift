import Vocabulary

/// Where a code may be: a line across all of its bars, in pixels of the picture.
package struct CodeLine: Hashable, Sendable {
    /// About where the first bar begins. It is searched for as far as `BarFamily.reach` says: up to 8 % of the line's length off either way,
    /// up to 12 % for ITF-14.
    package var left: Point
    /// About where the last bar ends; the same.
    package var right: Point
    /// How long the bars are, in pixels, half of it on each side of the line. Rows that don't show the bars are left out by the reader.
    package var height: Double

    package init(left: Point, right: Point, height: Double) {
        self.left = left
        self.right = right
        self.height = height
    }
}
