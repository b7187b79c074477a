/// The light along a code line, averaged along the bars. Each sample is the mean of the pixels whose centres lie close together along the
/// line: nothing is interpolated, so a slightly tilted code of less than a pixel a module still shows its bars.
struct BarProfile {
    /// In pixels along the line, ascending.
    private(set) var places: [Float] = []
    /// Light, 0 to 255.
    private(set) var light: [Float] = []
    /// How much a sample counts: 1 for one of usual size.
    private(set) var weights: [Float] = []
    /// Light of saturated samples may have been brighter.
    private(set) var isSaturated: [Bool] = []

    /// How far beyond the line's ends, as a part of its length.
    static let margin: Float = 0.18
    /// Samples a module, at most, and a pixel, at most.
    private static let density: Float = 4
    private static let subPixels: Float = 4
    /// More pixels say nothing new.
    private static let mostPixels: Float = 50_000
    /// Saturated pixels are left out where others of the same bar are darker by this much: then it is glare.
    private static let glare: Float = 40

    /// - Parameter modules: of the longest code that may be on the line.
    init(_ samples: LumaSamples, _ alignment: BandAlignment, modules: Int) {
        let frame = alignment.frame
        let binWidth = max(1 / Self.subPixels, frame.length / Float(modules) / Self.density)
        let first = -Self.margin * frame.length
        let count = Int(frame.length * (1 + 2 * Self.margin) / binWidth)
        let last = first + Float(count) * binWidth
        // For each sample: sum of light and of places, pixels; light and pixels that are saturated.
        var bins = [SIMD4<Float>](repeating: .zero, count: count)
        var saturated = [Float](repeating: 0, count: count)
        let isFlat = abs(frame.alongX) >= abs(frame.alongY)
        let (innerStride, outerStride) = isFlat ? (1, samples.rowStride) : (samples.rowStride, 1)
        let (innerCount, outerCount) =
            isFlat ? (samples.width, samples.height) : (samples.height, samples.width)
        // Along and across, for one step inwards and outwards.
        let (innerAlong, innerAcross) = isFlat ? (frame.alongX, -frame.alongY) : (frame.alongY, frame.alongX)
        let (outerAlong, outerAcross) = isFlat ? (frame.alongY, frame.alongX) : (frame.alongX, -frame.alongY)
        let (originInner, originOuter) = isFlat ? (frame.originX, frame.originY) : (frame.originY, frame.originX)
        let half = frame.height / 2
        let bandHeight = frame.height / Float(alignment.bands.count)
        let usage = alignment.bands.map(\.isUsed)
        let skip = max(1, Int(frame.length * frame.height / Self.mostPixels))
        // Corners of the region bound the outer loop.
        var (low, high) = (Float.infinity, -Float.infinity)
        for along in [first, last] {
            for across in [-half, half] {
                let point = frame.point(along: along, across: across)
                let outer = isFlat ? point.y : point.x
                (low, high) = (min(low, outer), max(high, outer))
            }
        }
        let slack = abs(frame.shift(0, half)) + abs(frame.shift(0, -half)) + 1
        let (outerFrom, outerTo) = (max(0, Int(low)), min(outerCount, Int(high) + 2))
        let table = LinearLight.table
        var outer = outerFrom
        while outer < outerTo {
            defer { outer += skip }
            let away = Float(outer) + 0.5 - originOuter
            let alongStart = away * outerAlong + (0.5 - originInner) * innerAlong
            let acrossStart = away * outerAcross + (0.5 - originInner) * innerAcross
            var from: Float = 0
            var to = Float(innerCount)
            Self.clip(&from, &to, alongStart, innerAlong, first - slack, last + slack)
            Self.clip(&from, &to, acrossStart, innerAcross, -half, half)
            guard from < to else { continue }
            let row = samples.pixels + outer * outerStride
            bins.withUnsafeMutableBufferPointer { bins in
                saturated.withUnsafeMutableBufferPointer { saturated in
                    usage.withUnsafeBufferPointer { usage in
                        table.withUnsafeBufferPointer { table in
                            for inner in Int(from)..<min(innerCount, Int(to) + 1) {
                                let across = acrossStart + Float(inner) * innerAcross
                                let band = Int((across + half) / bandHeight)
                                guard across >= -half, band < usage.count, usage[band] else { continue }
                                let along = alongStart + Float(inner) * innerAlong
                                let place = along - frame.shift(along, across)
                                let bin = (place - first) / binWidth
                                guard bin >= 0, bin < Float(count) else { continue }
                                let luma = row[inner &* innerStride]
                                bins[Int(bin)] += SIMD4(table[Int(luma)], place, 1, 0)
                                if luma >= LinearLight.saturated { saturated[Int(bin)] += 1 }
                            }
                        }
                    }
                }
            }
        }
        settle(bins, saturated)
    }

    private init() {}

    /// Narrows `from` to `to` to the steps at which `start + step * n` lies between two bounds.
    private static func clip(
        _ from: inout Float, _ to: inout Float, _ start: Float, _ step: Float, _ low: Float, _ high: Float
    ) {
        guard abs(step) > 1e-6 else {
            if start < low || start > high { to = from }
            return
        }
        let (a, b) = ((low - start) / step, (high - start) / step)
        from = max(from, min(a, b))
        to = min(to, max(a, b))
    }

    private mutating func settle(_ bins: [SIMD4<Float>], _ saturated: [Float]) {
        let filled = bins.count { $0.z > 0 }
        guard filled > 0 else { return }
        let usual = bins.reduce(0) { $0 + $1.z } / Float(filled)
        places.reserveCapacity(filled)
        light.reserveCapacity(filled)
        weights.reserveCapacity(filled)
        isSaturated.reserveCapacity(filled)
        let white: Float = 255
        for (bin, bright) in zip(bins, saturated) where bin.z > 0 {
            var value = bin.x / bin.z
            var count = bin.z
            if bright > 0, bin.z - bright >= 0.25 * bin.z {
                let rest = (bin.x - bright * white) / (bin.z - bright)
                if white - rest > Self.glare {
                    value = rest
                    count -= bright
                }
            }
            places.append(bin.y / bin.z)
            light.append(value)
            weights.append(min(count / usual, 2))
            isSaturated.append(bright > 0.5 * bin.z && value > 250)
        }
    }

    /// The same with as many samples as a code of `modules` modules needs, for a profile that was made for a longer one.
    /// - Parameter length: of the code line, in pixels.
    func coarser(modules: Float, length: Float) -> BarProfile {
        let width = length / modules / Self.density
        guard width > 1 / Self.subPixels, let first = places.first else { return self }
        var out = BarProfile()
        var index = 0
        while index < places.count {
            let bin = ((places[index] - first) / width).rounded(.down)
            var (sum, saturated) = (SIMD3<Float>.zero, Float(0))
            while index < places.count, ((places[index] - first) / width).rounded(.down) == bin {
                sum += SIMD3(light[index], places[index], 1) * weights[index]
                if isSaturated[index] { saturated += weights[index] }
                index += 1
            }
            guard sum.z > 0 else { continue }
            out.places.append(sum.y / sum.z)
            out.light.append(sum.x / sum.z)
            out.weights.append(sum.z)
            out.isSaturated.append(saturated > 0.5 * sum.z)
        }
        let usual = out.weights.reduce(0, +) / Float(max(out.weights.count, 1))
        for sample in out.weights.indices { out.weights[sample] = min(out.weights[sample] / usual, 2) }
        return out
    }

    /// The same without what lies beyond the paper around a code.
    /// - Parameters:
    ///   - quiet: how far the paper goes, in pixels; blur makes it less.
    ///   - length: of the code line, in pixels.
    func within(_ quiet: (left: Float, right: Float), length: Float) -> BarProfile {
        let range = -Self.clearPaper * quiet.left...length + Self.clearPaper * quiet.right
        var out = BarProfile()
        for index in places.indices where range.contains(places[index]) {
            out.places.append(places[index])
            out.light.append(light[index])
            out.weights.append(weights[index])
            out.isSaturated.append(isSaturated[index])
        }
        return out
    }

    private static let clearPaper: Float = 0.9

    /// The same, seen from the other end of a line of `length` pixels.
    func reversed(length: Float) -> BarProfile {
        var out = BarProfile()
        out.places = places.reversed().map { length - $0 }
        out.light = light.reversed()
        out.weights = weights.reversed()
        out.isSaturated = isSaturated.reversed()
        return out
    }
}
