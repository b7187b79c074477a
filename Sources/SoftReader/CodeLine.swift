import Vocabulary

/// Where a code may be: a line across all of its bars, in pixels of the picture.
package struct CodeLine: Hashable, Sendable {
    /// About where the first bar begins. Up to 5 % of the line's length off, either way.
    package var left: Point
    /// About where the last bar ends.
    package var right: Point
    /// How long the bars are, in pixels, half of it on each side of the line. Rows that don't show the bars are left out by the reader.
    package var height: Double

    package init(left: Point, right: Point, height: Double) {
        self.left = left
        self.right = right
        self.height = height
    }
}
