import Glibc
import Vocabulary

/// How far the bars of a linear code extend in the picture.
///
/// Decoders report the scan lines that agreed. That may be one line anywhere in a code, so neither its centre nor its corners are known.
/// From such a line, the bars are followed upwards and downwards: a piece at each end of the line is searched for in the next row, a little
/// to the left or right, while it is found. Each end is followed by itself, so that tilt, slant and perspective are followed, too.
struct BarExtent {
    /// The source picture; lines are in its pixels.
    let plane: LumaPlane

    /// Pixels of the line that are compared, at each end.
    private static let pieceLength = 32...96
    /// A row with at least this correlation shows the same bars. Paper, text and other codes stay below 0.4; a blurred or noisy row of the
    /// same bars stays above 0.7.
    private static let likeness: Float = 0.6
    /// A piece with less contrast (standard deviation, in steps of luma) can't be distinguished from noise.
    private static let leastDeviation: Float = 4
    /// How many rows may look different (dirt, a scratch), as a fraction of the line's length, but at least `leastGap` pixels.
    private static let gap = 0.02
    private static let leastGap = 3
    /// A shorter line can't be a whole code.
    private static let leastLength = 24.0
    /// The first steps are one pixel; later ones are this fraction of the line's length.
    private static let step = 0.01
    private static let closeSteps = 6
    /// If one end's bars seem shorter than this fraction of the other end's, it takes the other end's length.
    private static let leastOfOtherEnd: Float = 0.75

    /// The corners of the code that the scan line from `left` to `right` crosses, in the code's own order; `nil` if the line shows no bars.
    func corners(left: Point, right: Point) -> Quad? {
        let length = left.distance(to: right)
        guard length >= Self.leastLength else { return nil }
        let along = Vector(x: Float((right.x - left.x) / length), y: Float((right.y - left.y) / length))
        let back = Vector(x: -along.x, y: -along.y)
        // With y downwards, a quarter turn takes left-to-right to top-to-bottom.
        let down = Vector(x: -along.y, y: along.x)
        let up = Vector(x: along.y, y: -along.x)
        let count = min(max(Int(length / 3), Self.pieceLength.lowerBound), Self.pieceLength.upperBound, Int(length))
        guard let leftPiece = piece(at: left, along, count), let rightPiece = piece(at: right, back, count) else {
            return nil
        }
        var ends = [
            Reach(follow(leftPiece, from: left, along, up, length), follow(leftPiece, from: left, along, down, length)),
            Reach(
                follow(rightPiece, from: right, back, up, length), follow(rightPiece, from: right, back, down, length)),
        ]
        // Bars are equally long at both ends: an end that was lost much earlier is covered or dirty.
        let whole = ends
        for index in ends.indices where whole[index].height < whole[1 - index].height * Self.leastOfOtherEnd {
            ends[index].up.rows = max(whole[0].up.rows, whole[1].up.rows)
            ends[index].down.rows = max(whole[0].down.rows, whole[1].down.rows)
        }
        func corner(_ end: Point, _ way: Way, _ inwards: Vector, _ across: Vector) -> Point {
            Point(
                x: end.x + Double(way.rows * (across.x + way.slope * inwards.x)),
                y: end.y + Double(way.rows * (across.y + way.slope * inwards.y)))
        }
        return Quad(
            corner(left, ends[0].up, along, up), corner(right, ends[1].up, back, up),
            corner(right, ends[1].down, back, down), corner(left, ends[0].down, along, down))
    }

    /// How far one end was followed in one direction, in rows, and by how many pixels it moves inwards per row.
    private struct Way {
        var rows: Float
        var slope: Float
    }

    private struct Reach {
        var up: Way
        var down: Way
        var height: Float { up.rows + down.rows }

        init(_ up: Way, _ down: Way) {
            self.up = up
            self.down = down
        }
    }

    private struct Vector {
        var x: Float
        var y: Float
    }

    /// Pixels of quiet zone that belong to a piece: they fix its position.
    private static let outside = 4
    /// How far to search a row on each side of where its bars are expected, in half pixels.
    private static let search = 2

    /// Samples of one end of the line, one per pixel, inwards from a little outside of it; their mean is 0 and their length as a vector 1.
    private func piece(at end: Point, _ inwards: Vector, _ count: Int) -> [Float]? {
        let samples = sampled(
            Vector(
                x: Float(end.x) - inwards.x * Float(Self.outside), y: Float(end.y) - inwards.y * Float(Self.outside)),
            inwards, count: count)
        let mean = samples.reduce(0, +) / Float(count)
        let square = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard square > Self.leastDeviation * Self.leastDeviation * Float(count) else { return nil }
        let scale = 1 / square.squareRoot()
        return samples.map { ($0 - mean) * scale }
    }

    /// Follows the piece to the last row in which it is found.
    private func follow(_ piece: [Float], from end: Point, _ inwards: Vector, _ across: Vector, _ length: Double) -> Way
    {
        let count = piece.count
        let farStep = max(1, Int(length * Self.step))
        let most = max(Self.leastGap, Int(length * Self.gap))
        var rows = 0
        var shift: Float = 0
        var found = (rows: 0, shift: Float(0))
        var steps = 0
        while rows - found.rows <= most {
            let step = steps < Self.closeSteps ? 1 : farStep
            steps += 1
            rows += step
            let slope = found.rows > 0 ? found.shift / Float(found.rows) : 0
            shift = found.shift + slope * Float(rows - found.rows)
            let first = shift - Float(Self.outside) - Float(Self.search) / 2
            let start = Vector(
                x: Float(end.x) + across.x * Float(rows) + inwards.x * first,
                y: Float(end.y) + across.y * Float(rows) + inwards.y * first)
            guard contains(start) else { break }
            let row = sampled(
                start, Vector(x: inwards.x / 2, y: inwards.y / 2), count: 2 * count + 2 * Self.search)
            let (likeness, offset) = bestLikeness(of: row, to: piece)
            guard likeness >= Self.likeness else { continue }
            found = (rows, shift + Float(offset - Self.search) / 2)
        }
        return Way(rows: Float(found.rows), slope: found.rows > 0 ? found.shift / Float(found.rows) : 0)
    }

    /// The highest correlation of `row` (two samples per pixel) with `shape`, and the half pixel where it is.
    private func bestLikeness(of row: [Float], to shape: [Float]) -> (likeness: Float, offset: Int) {
        var best = (likeness: -Float.infinity, offset: 0)
        let count = shape.count
        for offset in 0...2 * Self.search {
            var sum: Float = 0
            var square: Float = 0
            var product: Float = 0
            for index in 0..<count {
                let value = row[offset &+ 2 &* index]
                sum += value
                square += value * value
                product += value * shape[index]
            }
            let spread = square - sum * sum / Float(count)
            guard spread > Self.leastDeviation * Self.leastDeviation * Float(count) / 4 else { continue }
            let likeness = product / spread.squareRoot()
            if likeness > best.likeness { best = (likeness, offset) }
        }
        return best
    }

    private func contains(_ point: Vector) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x < Float(plane.width) && point.y < Float(plane.height)
    }

    /// Bilinear; beyond an edge, its samples are repeated.
    private func sampled(_ start: Vector, _ step: Vector, count: Int) -> [Float] {
        var (x, y) = (start.x - 0.5, start.y - 0.5)
        let (right, bottom) = (Float(plane.width - 1), Float(plane.height - 1))
        return [Float](unsafeUninitializedCapacity: count) { samples, initialised in
            for index in 0..<count {
                let (atX, atY) = (min(max(x, 0), right), min(max(y, 0), bottom))
                let (column, row) = (Int(atX), Int(atY))
                let (fx, fy) = (atX - Float(column), atY - Float(row))
                let upper = plane.row(row) + column
                let lower = row &+ 1 < plane.height ? upper + plane.rowStride : upper
                let next = column &+ 1 < plane.width ? 1 : 0
                let above = Float(upper[0]) + (Float(upper[next]) - Float(upper[0])) * fx
                let below = Float(lower[0]) + (Float(lower[next]) - Float(lower[0])) * fx
                samples[index] = above + (below - above) * fy
                x += step.x
                y += step.y
            }
            initialised = count
        }
    }
}
