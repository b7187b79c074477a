import Glibc

/// How the bars run: bands across the line are laid over each other until they agree. Bands that never do (text below the bars, a finger,
/// paper) are left out.
struct BandAlignment {
    private(set) var frame: BarFrame
    /// From where to where, across, and which of the bands in between show the bars.
    private(set) var bands: [Band] = []

    struct Band {
        /// In pixels across the line.
        var range: ClosedRange<Float>
        var isUsed = true
        var middle: Float { (range.lowerBound + range.upperBound) / 2 }
    }

    private static let mostBands = 16
    private static let linesPerBand = 3
    /// How far beyond each end of the line, as a part of its length.
    private static let margin: Float = 0.06
    /// The largest slant that is searched, in pixels per pixel.
    private static let mostSlant: Float = 0.2
    /// A band with less correlation shows something else; so does one with less than this part of the best one's.
    private static let leastLikeness: Float = 0.25
    private static let leastPartOfBest: Float = 0.6

    init(_ samples: LumaSamples, _ start: BarFrame) {
        frame = start
        let count = min(Self.mostBands, max(1, Int(start.height / 2)))
        let bandHeight = start.height / Float(count)
        bands = (0..<count).map { index in
            let top = -start.height / 2 + Float(index) * bandHeight
            return Band(range: top...top + bandHeight)
        }
        guard count >= 3 else { return }
        findSlant(samples)
        for _ in 0..<3 { bendBars(samples) }
    }

    /// Samples of each band, one a step along the line, without their slow changes; of unit length as vectors.
    private func profiles(_ samples: LumaSamples, step: Float) -> (values: [[Float]], first: Float) {
        let margin = Self.margin * frame.length
        let count = Int((frame.length + 2 * margin) / step)
        let table = LinearLight.table
        let values = bands.map { band -> [Float] in
            var sum = [Float](repeating: 0, count: count)
            let height = band.range.upperBound - band.range.lowerBound
            let lines = min(Self.linesPerBand, max(1, Int(height.rounded())))
            for line in 0..<lines {
                let across = band.range.lowerBound + height * (Float(line) + 0.5) / Float(lines)
                sum.withUnsafeMutableBufferPointer { sum in
                    table.withUnsafeBufferPointer { table in
                        for index in 0..<count {
                            let along = Float(index) * step - margin
                            let point = frame.point(along: along + frame.shift(along, across), across: across)
                            sum[index] += samples.between(point.x, point.y, table)
                        }
                    }
                }
            }
            return sum.flattened(over: max(3, Int(frame.length / 24 / step)))
        }
        return (values, -margin)
    }

    /// The slants at which the sum of all bands is sharpest, in the thirds of the line: perspective lets bars lean apart.
    private mutating func findSlant(_ samples: LumaSamples) {
        let step = max(0.5, frame.length / 250)
        let (values, _) = profiles(samples, step: step)
        guard let count = values.first?.count else { return }
        let steps = min(24, max(1, Int((Self.mostSlant * frame.height / 2 / step).rounded(.up))))
        let perStep = Self.mostSlant / Float(steps)
        var scores = [SIMD4<Float>](repeating: .zero, count: 2 * steps + 1)
        var sum = [Float](repeating: 0, count: count)
        for trial in -steps...steps {
            for index in sum.indices { sum[index] = 0 }
            for (band, value) in zip(bands, values) {
                let offset = Int((band.middle * Float(trial) * perStep / step).rounded())
                let from = max(0, -offset)
                let to = min(count, count - offset)
                guard from < to else { continue }
                sum.withUnsafeMutableBufferPointer { sum in
                    value.withUnsafeBufferPointer { value in
                        for index in from..<to { sum[index] += value[index &+ offset] }
                    }
                }
            }
            for part in 0..<3 {
                scores[trial + steps][part] = sum[part * count / 3..<(part + 1) * count / 3].reduce(0) { $0 + $1 * $1 }
            }
        }
        var best = (score: -Float.infinity, trial: 0, lean: 0)
        for trial in -steps...steps {
            for lean in -6...6 where abs(trial) + abs(lean) <= steps {
                let score =
                    scores[trial - lean + steps][0] + scores[trial + steps][1] + scores[trial + lean + steps][2]
                let price = 1 - 0.002 * Float(abs(trial) + abs(lean))
                if score * price > best.score { best = (score * price, trial, lean) }
            }
        }
        frame.slant = Float(best.trial) * perStep
        // The middles of the outer thirds are a third of the line from its middle.
        frame.fan = 3 * Float(best.lean) * perStep
    }

    /// Measures each third of each band against the mean of all, and bends the frame accordingly.
    private mutating func bendBars(_ samples: LumaSamples) {
        let step = max(0.5, frame.length / 300)
        let (values, first) = profiles(samples, step: step)
        guard let count = values.first?.count, count >= 48 else { return }
        var mean = [Float](repeating: 0, count: count)
        for (band, value) in zip(bands, values) where band.isUsed {
            for index in 0..<count { mean[index] += value[index] }
        }
        let third = count / 3
        let search = 3
        var likenesses = [Float](repeating: 0, count: bands.count)
        // `row`: what slant, bend, fan and fan's bend do here; `shift`: what was measured.
        var shifts: [(band: Int, row: SIMD4<Float>, shift: Float)] = []
        for (number, value) in values.enumerated() {
            let across = bands[number].middle
            // Without the band itself, which would always agree with itself.
            let others = bands[number].isUsed ? zip(mean, value).map { $0 - $1 } : mean
            for part in 0..<3 {
                let range = max(search, part * third)..<min(count - search, (part + 1) * third)
                var scores = [Float](repeating: 0, count: 2 * search + 1)
                let own = others[range].reduce(0) { $0 + $1 * $1 }
                for offset in -search...search {
                    var (product, square) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                    others.withUnsafeBytes { others in
                        value.withUnsafeBytes { value in
                            for index in stride(from: range.lowerBound, to: range.upperBound - 3, by: 4) {
                                let other = others.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD4<Float>.self)
                                let moved = value.loadUnaligned(
                                    fromByteOffset: 4 &* (index &+ offset), as: SIMD4<Float>.self)
                                product += other * moved
                                square += moved * moved
                            }
                        }
                    }
                    scores[offset + search] = product.sum() / max((square.sum() * own).squareRoot(), 1e-9)
                }
                guard let top = scores.max(), let place = scores.firstIndex(of: top) else { continue }
                likenesses[number] += top / 3
                guard place > 0, place < 2 * search, top > Self.leastLikeness else { continue }
                let curvature = scores[place - 1] + scores[place + 1] - 2 * top
                let finer = curvature < -1e-6 ? 0.5 * (scores[place - 1] - scores[place + 1]) / curvature : 0
                let along = first + (Float(range.lowerBound + range.upperBound) / 2) * step
                let normalisedPlace = along / frame.length - 0.5
                shifts.append(
                    (
                        number,
                        SIMD4(
                            across, across * across, across * normalisedPlace, across * across * normalisedPlace),
                        (Float(place - search) + finer) * step
                    ))
            }
        }
        let best = likenesses.max() ?? 0
        for index in bands.indices {
            bands[index].isUsed =
                likenesses[index] >= max(Self.leastLikeness, Self.leastPartOfBest * best)
        }
        if bands.filter(\.isUsed).count < 3 {
            for index in bands.indices { bands[index].isUsed = true }
            return
        }
        let used = shifts.filter { bands[$0.band].isUsed }
        guard used.count >= 6 else { return }
        // A ridge in units of the effect at the outermost band: none may run away on a few noisy bands.
        let half = frame.height / 2
        var normal = NormalEquations(count: 5)
        for (_, row, shift) in used {
            normal.add(
                [
                    Double(row[0] / half), Double(row[1] / (half * half)), Double(row[2] / half),
                    Double(row[3] / (half * half)), 1,
                ],
                Double(shift), weight: 1)
        }
        for index in 0..<4 { normal.pull(index, weight: index == 0 ? 0.1 : 1) }
        guard let solution = normal.solved() else { return }
        // The fifth unknown, a shift that all bands share, bends nothing. It is solved for so that the others don't take it up.
        frame.slant += Float(solution[0]) / half
        frame.bend += Float(solution[1]) / (half * half)
        frame.fan += Float(solution[2]) / half
        frame.fanBend += Float(solution[3]) / (half * half)
    }
}

extension [Float] {
    /// Less its mean over `reach` on each side, without peaks, and scaled to length 1 as a vector.
    fileprivate func flattened(over reach: Int) -> [Float] {
        var sums = [Float](repeating: 0, count: count + 1)
        for index in indices { sums[index + 1] = sums[index] + self[index] }
        var out = self
        for index in indices {
            let (from, to) = (Swift.max(0, index - reach), Swift.min(count, index + reach + 1))
            out[index] -= (sums[to] - sums[from]) / Float(to - from)
        }
        // The edge of a label that is brighter or darker than what it lies on would outweigh all bars.
        let sizes = out.map(abs).sorted()
        let most = Swift.max(2.5 * sizes[count / 2], sizes.reduce(0, +) / Float(count))
        var square: Float = 0
        for index in indices {
            out[index] = Swift.min(Swift.max(out[index], -most), most)
            square += out[index] * out[index]
        }
        let scale = square > 1e-3 ? 1 / square.squareRoot() : 0
        for index in indices { out[index] *= scale }
        return out
    }
}

extension LumaSamples {
    /// The light between the four pixels around a place; that of the nearest pixel outside of the picture.
    @inline(__always)
    func between(_ x: Float, _ y: Float, _ table: UnsafeBufferPointer<Float>) -> Float {
        let (left, top) = (min(max(x - 0.5, 0), Float(width - 1)), min(max(y - 0.5, 0), Float(height - 1)))
        let (column, row) = (Int(left), Int(top))
        let (partX, partY) = (left - Float(column), top - Float(row))
        let first = pixels + (row &* rowStride &+ column)
        let right = column &+ 1 < width ? 1 : 0
        let below = row &+ 1 < height ? rowStride : 0
        let upper = table[Int(first[0])] * (1 - partX) + table[Int(first[right])] * partX
        let lower = table[Int(first[below])] * (1 - partX) + table[Int(first[below + right])] * partX
        return upper * (1 - partY) + lower * partY
    }
}
