import Vocabulary

/// Makes a small upright picture of a whole delivered frame: each pixel is the mean of the area that it stands for, because skipped pixels
/// would tear bars apart.
enum PictureShrinker {
    /// The upright picture's size: its longer side is `maxSide`, or less if the frame is smaller.
    static func size(of frame: FrameSize, _ orientation: Orientation, maxSide: Int) -> FrameSize {
        let upright = orientation.upright(fromDelivered: frame)
        let longer = max(upright.width, upright.height)
        guard longer > maxSide else { return upright }
        func scaled(_ side: Int) -> Int { max(1, (side * maxSide + longer / 2) / longer) }
        return FrameSize(width: scaled(upright.width), height: scaled(upright.height))
    }

    /// `plane`: rows of the frame without padding, as delivered.
    static func shrink(
        _ plane: UnsafePointer<UInt8>, _ frame: FrameSize, _ orientation: Orientation, maxSide: Int
    ) -> (size: FrameSize, pixels: [UInt8]) {
        let size = size(of: frame, orientation, maxSide: maxSide)
        let small = orientation.delivered(fromUpright: size)
        let pixels = average(plane, frame, to: small)
        return (size, orientation == .upright ? pixels : turn(pixels, small, orientation, size))
    }

    /// Sums rows into columns of `small`, and these sums into rows.
    private static func average(_ plane: UnsafePointer<UInt8>, _ frame: FrameSize, to small: FrameSize) -> [UInt8] {
        guard small != frame else {
            return Array(UnsafeBufferPointer(start: plane, count: frame.width * frame.height))
        }
        let (xScale, yScale) = (
            Float(frame.width) / Float(small.width), Float(frame.height) / Float(small.height)
        )
        // Where each column of the picture begins on the frame: whole pixels, and the share of the one that is cut.
        let edges = (0...small.width).map { x -> (whole: Int, part: Float) in
            let edge = min(Float(x) * xScale, Float(frame.width))
            let whole = min(Int(edge), frame.width - 1)
            return (whole, edge - Float(whole))
        }
        return Array(unsafeUninitializedCapacity: small.width * small.height) { pixels, count in
            count = small.width * small.height
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: frame.width) { sums in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * small.width) { lines in
                    edges.withUnsafeBufferPointer { edges in
                        lines.update(repeating: 0)
                        let row = lines.baseAddress.map { UnsafeMutableBufferPointer(start: $0, count: small.width) }
                        let total = lines.baseAddress.map {
                            UnsafeMutableBufferPointer(start: $0 + small.width, count: small.width)
                        }
                        guard let row, let total else { return }
                        addRows(plane, frame, small, yScale, 1 / (xScale * yScale), edges, sums, row, total, pixels)
                    }
                }
            }
        }
    }

    /// Pointers, so that a debug build is quick enough to be looked at, too.
    private static func addRows(
        _ plane: UnsafePointer<UInt8>, _ frame: FrameSize, _ small: FrameSize, _ yScale: Float, _ share: Float,
        _ edges: UnsafeBufferPointer<(whole: Int, part: Float)>, _ sums: UnsafeMutableBufferPointer<UInt32>,
        _ row: UnsafeMutableBufferPointer<Float>, _ total: UnsafeMutableBufferPointer<Float>,
        _ pixels: UnsafeMutableBufferPointer<UInt8>
    ) {
        var target = 0
        for y in 0..<frame.height {
            let source = plane + y * frame.width
            var sum: UInt32 = 0
            for x in 0..<frame.width {
                sums[x] = sum
                sum &+= UInt32(source[x])
            }
            var before: Float = 0
            for x in 0..<small.width {
                let edge = edges[x + 1]
                let upTo = Float(sums[edge.whole]) + edge.part * Float(source[edge.whole])
                row[x] = upTo - before
                before = upTo
            }
            // The part of this row that belongs to the picture's row, and the rest to the next one.
            let end = Float(target + 1) * yScale
            let part = min(1, max(0, end - Float(y)))
            for x in 0..<small.width { total[x] += row[x] * part }
            guard Float(y + 1) >= end || y == frame.height - 1, target < small.height else { continue }
            let line = target * small.width
            for x in 0..<small.width {
                pixels[line + x] = UInt8(min(255, total[x] * share + 0.5))
                total[x] = row[x] * (1 - part)
            }
            target += 1
        }
        // Rounding may leave the last row out.
        while target < small.height, target > 0 {
            for x in 0..<small.width {
                pixels[target * small.width + x] = pixels[(target - 1) * small.width + x]
            }
            target += 1
        }
    }

    /// Mirrors, then turns, as `Orientation` says.
    private static func turn(
        _ pixels: [UInt8], _ delivered: FrameSize, _ orientation: Orientation, _ upright: FrameSize
    ) -> [UInt8] {
        var turned = [UInt8](repeating: 0, count: pixels.count)
        turned.withUnsafeMutableBufferPointer { turned in
            pixels.withUnsafeBufferPointer { copy($0, delivered, orientation, upright, to: turned) }
        }
        return turned
    }

    private static func copy(
        _ pixels: UnsafeBufferPointer<UInt8>, _ delivered: FrameSize, _ orientation: Orientation, _ upright: FrameSize,
        to turned: UnsafeMutableBufferPointer<UInt8>
    ) {
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                var (fromX, fromY) =
                    switch orientation.rotation {
                    case .none: (x, y)
                    case .clockwise90: (y, delivered.height - 1 - x)
                    case .half: (delivered.width - 1 - x, delivered.height - 1 - y)
                    case .clockwise270: (delivered.width - 1 - y, x)
                    }
                if orientation.isMirrored { fromX = delivered.width - 1 - fromX }
                turned[y * upright.width + x] = pixels[fromY * delivered.width + fromX]
            }
        }
    }
}
