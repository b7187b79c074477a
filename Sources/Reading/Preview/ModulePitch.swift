import Vocabulary

/// How many pixels of the frame a module of a code has: at a pattern that every code of its kind begins with, or, for EAN and UPC, by its width.
///
/// For people who aim the camera: it is measured where the code is, so it says whether the camera must come nearer.
enum ModulePitch {
    /// Codes looked at, at most: a picture full of them isn't worth more time.
    static let mostCodes = 8

    /// The pitch of the smallest of these codes, since that is the one that needs the camera nearer. `nil`: none of them shows it.
    /// - Parameter plane: rows without padding, as delivered.
    static func least(
        of symbols: [Symbol], on plane: UnsafePointer<UInt8>, _ size: FrameSize, _ orientation: Orientation
    ) -> Double? {
        symbols.prefix(mostCodes).compactMap { of($0, on: plane, size, orientation) }.min()
    }

    static func of(
        _ symbol: Symbol, on plane: UnsafePointer<UInt8>, _ size: FrameSize, _ orientation: Orientation
    ) -> Double? {
        let place = CodePlace(symbol.corners, plane, size, orientation)
        switch symbol.symbology {
        // GS1 General Specifications, 5.2, and 5.5 for DataBar Limited; the other DataBars may be stacked, and half as wide then.
        case .ean13, .upcA: return place.width / 95
        case .ean8: return place.width / 67
        case .upcE: return place.width / 51
        case .dataBarLimited: return place.width / 74
        // The bars of the finder pattern's inner square are 3 of 21 modules or fewer, the third to the fifth; the others are 7 to 17 modules high.
        case .qrCode: return place.finderPattern(downTo: 0.24)
        case .microQRCode, .rmqrCode: return place.finderPattern(downTo: 0.5)
        case .dataMatrix: return place.timingPattern
        case .aztec: return place.bullsEye
        // Start pattern 8 1 1 1 1 1 1 3; start characters of six bars and spaces.
        case .pdf417: return place.start(of: [8, 1, 1, 1, 1, 1, 1, 3])
        case .code128: return place.start(elements: 6, modules: 11)
        case .code93: return place.start(elements: 6, modules: 9)
        case .code39, .code39Mod43, .codabar, .itf, .itf14: return place.narrowElement
        case .dataBar, .dataBarExpanded, .maxiCode: return nil
        }
    }
}

/// Where a code stands on a frame, and what lines across it show.
private struct CodePlace {
    let plane: UnsafePointer<UInt8>
    let size: FrameSize
    /// In pixels of the frame as delivered.
    let corners: Quad

    init(_ corners: Quad, _ plane: UnsafePointer<UInt8>, _ size: FrameSize, _ orientation: Orientation) {
        (self.plane, self.size) = (plane, size)
        self.corners = corners.mapped {
            let point = orientation.delivered(fromUpright: $0)
            return Point(x: point.x * Double(size.width), y: point.y * Double(size.height))
        }
    }

    /// From its left to its right side, halfway down.
    var width: Double { point(0, 0.5).distance(to: point(1, 0.5)) }

    /// A point of the code, by shares of its sides: (0, 0) is its own top left, (1, 1) its bottom right.
    private func point(_ x: Double, _ y: Double) -> Point {
        let top = corners.topLeft.between(corners.topRight, x)
        return top.between(corners.bottomLeft.between(corners.bottomRight, x), y)
    }

    private func runs(from start: Point, to end: Point) -> [LineRun] {
        LineRun.along(plane, size, from: start, to: end)
    }

    // MARK: Patterns

    /// 1:1:3:1:1 at the top left (ISO/IEC 18004, 6.3.3).
    /// - Parameter depth: where to stop looking for it, as a share of the height.
    func finderPattern(downTo depth: Double) -> Double? {
        for depth in stride(from: 0.01, through: depth, by: 0.01) {
            let runs = runs(from: point(-0.03, depth), to: point(0.75, depth))
            if let pitch = Self.pitch(of: [1, 1, 3, 1, 1], in: runs, tolerance: 0.4) { return pitch }
        }
        return nil
    }

    /// Dark and light in turns along the upper side (ISO/IEC 16022, 5.2): a line just inside of it that crosses the most modules, all equally wide.
    var timingPattern: Double? {
        var best: (count: Int, pitch: Double)?
        for depth in stride(from: 0.005, through: 0.09, by: 0.005) {
            let runs = runs(from: point(-0.03, depth), to: point(1.03, depth))
            // The first is the solid left side, the last may be what is beside the code.
            let inner = runs.drop { !$0.isDark }.dropLast().map(\.length)
            guard inner.count >= 7, inner.count > best?.count ?? 0 else { continue }
            let mean = inner.reduce(0, +) / Double(inner.count)
            if inner.allSatisfy({ abs($0 - mean) < 0.45 * mean }) { best = (inner.count, mean) }
        }
        return best?.pitch
    }

    /// Rings of one module around the centre, five of them dark in full codes, three in compact ones (ISO/IEC 24778, 7.2): the inner nine runs.
    var bullsEye: Double? {
        let runs = runs(from: point(0.1, 0.5), to: point(0.9, 0.5))
        let half = runs.reduce(0) { $0 + $1.length } / 2
        var travelled = 0.0
        guard
            let middle = runs.firstIndex(where: {
                travelled += $0.length
                return travelled >= half
            }), middle >= 4, middle + 4 < runs.count, runs[middle].isDark
        else { return nil }
        return Self.pitch(
            of: Array(repeating: 1, count: 9), in: Array(runs[(middle - 4)...(middle + 4)]), tolerance: 0.5)
    }

    /// The first bars, which have these widths in modules.
    func start(of pattern: [Double]) -> Double? {
        let runs = acrossBars.drop { !$0.isDark }.prefix(pattern.count)
        return Self.pitch(of: pattern, in: Array(runs), tolerance: 0.5)
    }

    /// By the first character: its elements have `modules` modules together.
    func start(elements: Int, modules: Double) -> Double? {
        let runs = acrossBars.drop { !$0.isDark }.prefix(elements)
        guard runs.count == elements else { return nil }
        return runs.reduce(0) { $0 + $1.length } / modules
    }

    /// The smaller one of two widths: the median of what is narrower than halfway between the extremes.
    var narrowElement: Double? {
        let lengths = acrossBars.drop { !$0.isDark }.dropLast().map(\.length).sorted()
        guard lengths.count >= 9, let least = lengths.first, let most = lengths.last else { return nil }
        // A gap between characters may be wider than a wide element.
        let narrow = lengths.prefix { $0 <= (least + min(most, 4 * least)) / 2 }
        return narrow[narrow.count / 2]
    }

    private var acrossBars: [LineRun] { runs(from: point(-0.02, 0.5), to: point(1.02, 0.5)) }

    /// The pitch of the first runs that have these proportions and begin dark; each may be off by this share of a module.
    private static func pitch(of pattern: [Double], in runs: [LineRun], tolerance: Double) -> Double? {
        let modules = pattern.reduce(0, +)
        for first in runs.indices where runs[first].isDark && first + pattern.count <= runs.count {
            let lengths = runs[first..<(first + pattern.count)].map(\.length)
            let pitch = lengths.reduce(0, +) / modules
            if zip(lengths, pattern).allSatisfy({ abs($0 - $1 * pitch) <= tolerance * pitch }) { return pitch }
        }
        return nil
    }
}

/// A stretch of a line that is dark, or light.
private struct LineRun {
    var isDark: Bool
    /// Pixels.
    var length: Double

    /// Half a pixel from sample to sample, between neighbouring pixels in proportion; dark is what is below the middle of the line's range.
    static func along(
        _ plane: UnsafePointer<UInt8>, _ size: FrameSize, from start: Point, to end: Point
    ) -> [LineRun] {
        let length = start.distance(to: end)
        guard length >= 4, length < 20_000 else { return [] }
        let count = Int(length * 2) + 1
        let samples = (0..<count).map { index in
            value(plane, size, start.between(end, Double(index) / Double(count - 1)))
        }
        let sorted = samples.sorted()
        let (dark, light) = (sorted[count / 20], sorted[count - 1 - count / 20])
        guard light - dark >= 16 else { return [] }
        let middle = (dark + light) / 2
        let step = length / Double(count - 1)
        var runs: [LineRun] = []
        var begin = 0.0
        for index in 1..<count where (samples[index] < middle) != (samples[index - 1] < middle) {
            let share = (middle - samples[index - 1]) / (samples[index] - samples[index - 1])
            let edge = (Double(index - 1) + share) * step
            runs.append(LineRun(isDark: samples[index - 1] < middle, length: edge - begin))
            begin = edge
        }
        runs.append(LineRun(isDark: samples[count - 1] < middle, length: length - begin))
        return runs
    }

    /// A pixel's value is that of its centre.
    private static func value(_ plane: UnsafePointer<UInt8>, _ size: FrameSize, _ point: Point) -> Double {
        let x = min(max(point.x - 0.5, 0), Double(size.width - 1))
        let y = min(max(point.y - 0.5, 0), Double(size.height - 1))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
        let (fx, fy) = (x - Double(left), y - Double(top))
        func at(_ x: Int, _ y: Int) -> Double { Double(plane[y * size.width + x]) }
        let upper = at(left, top) * (1 - fx) + at(right, top) * fx
        let lower = at(left, bottom) * (1 - fx) + at(right, bottom) * fx
        return upper * (1 - fy) + lower * fy
    }
}

extension Point {
    /// `share` of the way to `other`.
    fileprivate func between(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
