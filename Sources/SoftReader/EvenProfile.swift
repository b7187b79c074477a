/// A profile at even steps, as darkness: about 0 is paper, about 1 is ink. Good enough to find the ends of a code and roughly its characters.
struct EvenProfile {
    /// In pixels along the line.
    let first: Float
    let step: Float
    private(set) var darkness: [Float]

    /// - Parameters:
    ///   - length: of the code line, in pixels.
    ///   - modules: of the longest code that may be on it.
    init(_ profile: BarProfile, length: Float, modules: Int) {
        let places = profile.places
        step = max(0.25, length / Float(modules) / 6)
        first = places.first ?? 0
        let count = places.isEmpty ? 0 : Int(((places.last ?? first) - first) / step) + 1
        var light = [Float](repeating: 0, count: count)
        var next = 0
        for index in 0..<count {
            let place = first + Float(index) * step
            while next + 1 < places.count, places[next + 1] < place { next += 1 }
            guard next + 1 < places.count else {
                light[index] = profile.light.last ?? 0
                continue
            }
            let part = min(max((place - places[next]) / max(places[next + 1] - places[next], 1e-6), 0), 1)
            light[index] = profile.light[next] * (1 - part) + profile.light[next + 1] * part
        }
        // Paper: the brightest nearby, smoothed.
        let reach = max(2, Int(0.07 * length / step))
        let white = light.highest(within: reach).smoothed(within: reach)
        darkness = zip(white, light).map { $0 - $1 }
        // Ink: half of a code is dark, however blurred it is. Where it isn't blurred, the darkest say so.
        let (from, to) = (max(0, index(0)), min(count, index(length)))
        guard from < to else { return }
        let inside = darkness[from..<to].sorted()
        let mean = inside.reduce(0, +) / Float(inside.count)
        let scale = max(inside[inside.count * 24 / 25], 1.8 * mean, 1)
        for index in darkness.indices { darkness[index] /= scale }
    }

    func index(_ place: Float) -> Int { Int(((place - first) / step).rounded(.up)) }
    func place(_ index: Int) -> Float { first + Float(index) * step }

    /// Between two samples.
    @inline(__always)
    func at(_ place: Float) -> Float {
        let position = (place - first) / step
        guard position >= 0, position < Float(darkness.count - 1) else { return 0 }
        let index = Int(position)
        let part = position - Float(index)
        return darkness[index] * (1 - part) + darkness[index + 1] * part
    }
}

extension [Float] {
    fileprivate func highest(within reach: Int) -> [Float] {
        // Van Herk's two sweeps over blocks as long as the window.
        let window = 2 * reach + 1
        guard count > 0 else { return self }
        var (forth, back) = (self, self)
        for index in indices where index % window != 0 { forth[index] = Swift.max(forth[index - 1], self[index]) }
        for index in indices.reversed() where index % window != window - 1 && index + 1 < count {
            back[index] = Swift.max(back[index + 1], self[index])
        }
        return indices.map { Swift.max(back[Swift.max(0, $0 - reach)], forth[Swift.min(count - 1, $0 + reach)]) }
    }

    fileprivate func smoothed(within reach: Int) -> [Float] {
        var sums = [Float](repeating: 0, count: count + 1)
        for index in indices { sums[index + 1] = sums[index] + self[index] }
        return indices.map { index in
            let (from, to) = (Swift.max(0, index - reach), Swift.min(count, index + reach + 1))
            return (sums[to] - sums[from]) / Float(to - from)
        }
    }
}

extension EvenProfile {
    private init(first: Float, step: Float, darkness: [Float]) {
        self.first = first
        self.step = step
        self.darkness = darkness
    }

    /// The same, seen from the other end of a line of `length` pixels.
    func reversed(length: Float) -> EvenProfile {
        EvenProfile(
            first: length - place(darkness.count - 1), step: step, darkness: darkness.reversed())
    }
}
