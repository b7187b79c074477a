/// An outline's sides as they are seen from outside: where dark begins.
struct OutlineScan {
    /// Of places in the outline, from (0, 0) to (1, 1), in pixels.
    private let unit: Homography
    private let samples: LumaSamples
    /// Of each side, clockwise from the first corner, at `count` places along it: how far inside dark begins, as a part of the outline.
    private(set) var depths: [[Float]] = []
    /// Places along each side.
    let count: Int
    /// The part of what is around the outline that is dark: then it isn't all of a code.
    private(set) var touched: Float = 0
    /// Light between ink and paper, and what lies between them.
    let threshold: Float
    let contrast: Float

    /// What is darker isn't paper.
    private let edge: Float
    /// The part of what lies between paper and ink by which a single dark module at the edge is darker than paper, where it is blurred.
    private static let darkPart: Float = 0.3
    private static let counts = 64...208
    private static let shallowest: Float = -0.04
    private static let deepest: Float = 0.3
    private static let step: Float = 0.0125
    /// What is so far outside is around it.
    private static let outside: Float = -0.02

    /// - Parameters:
    ///   - corners: four, clockwise as seen in the picture.
    ///   - leastContrast: between ink and paper, in levels of light.
    /// - Returns: `nil` if no code seen at an angle has such corners, or too little contrast is within them.
    init?(_ samples: LumaSamples, _ corners: [Place], leastContrast: Float) {
        let square = [Place(0, 0), Place(1, 0), Place(1, 1), Place(0, 1)]
        guard corners.count == 4, let unit = Homography(zip(square, corners).map { ($0, $1) }) else { return nil }
        (self.unit, self.samples) = (unit, samples)
        let longest = (0..<4).map { (corners[($0 + 1) % 4] - corners[$0]).length }.max() ?? 0
        // In this order, what isn't a number becomes the least.
        count = Int(min(Float(Self.counts.upperBound), max(Float(Self.counts.lowerBound), longest)))
        let lights = Self.lights(samples, unit)
        (threshold, contrast) = ((lights.ink + lights.paper) / 2, lights.paper - lights.ink)
        edge = lights.paper - Self.darkPart * contrast
        guard contrast >= leastContrast else { return nil }
        for side in 0..<4 {
            let depths = (0..<count).map { depth(side, at: (Float($0) + 0.5) / Float(count)) }
            touched += Float(depths.count { $0 <= Self.outside }) / Float(4 * count)
            self.depths.append(depths)
        }
    }

    private func depth(_ side: Int, at along: Float) -> Float {
        var depth = Self.shallowest
        while depth < Self.deepest {
            let place = place(side, at: along, depth: depth)
            if samples.holds(place), samples.light(at: place) < edge { break }
            depth += Self.step
        }
        return depth
    }

    /// A place in the picture.
    /// - Parameter along: the side, clockwise, 0 to 1.
    private func place(_ side: Int, at along: Float, depth: Float) -> Place {
        switch side {
        case 0: unit(Place(along, depth))
        case 1: unit(Place(1 - depth, along))
        case 2: unit(Place(1 - along, 1 - depth))
        default: unit(Place(depth, 1 - along))
        }
    }

    /// The light along a side, so far inside of where dark begins.
    func lights(_ side: Int, depths: [Float], inwards: Float) -> [Float] {
        depths.enumerated().map { index, depth in
            samples.light(at: place(side, at: (Float(index) + 0.5) / Float(count), depth: depth + inwards))
        }
    }

    private static func lights(_ samples: LumaSamples, _ unit: Homography) -> (ink: Float, paper: Float) {
        var lights: [Float] = []
        for down in stride(from: Float(0.05), to: 1, by: 0.06) {
            for across in stride(from: Float(0.05), to: 1, by: 0.06) {
                lights.append(samples.light(at: unit(Place(across, down))))
            }
        }
        lights.sort()
        return (lights[lights.count / 10], lights[lights.count * 9 / 10])
    }
}
