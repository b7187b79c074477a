/// A flat code seen at an angle: where its modules lie in the picture.
struct Homography {
    /// place = (a u + b v + c, d u + e v + f) / (g u + h v + 1)
    private let terms: [Double]

    func callAsFunction(_ modules: Place) -> Place {
        let (u, v) = (Double(modules.x), Double(modules.y))
        let scale = 1 / (terms[6] * u + terms[7] * v + 1)
        return Place(
            Float((terms[0] * u + terms[1] * v + terms[2]) * scale),
            Float((terms[3] * u + terms[4] * v + terms[5]) * scale))
    }

    /// Which module is at a place of the picture.
    func modules(at place: Place) -> Place {
        let (x, y) = (Double(place.x), Double(place.y))
        // a u + b v + c = x (g u + h v + 1), and the same for y: two linear equations.
        let (a, b, c) = (terms[0] - x * terms[6], terms[1] - x * terms[7], x - terms[2])
        let (d, e, f) = (terms[3] - y * terms[6], terms[4] - y * terms[7], y - terms[5])
        let scale = 1 / (a * e - b * d)
        return Place(Float((c * e - b * f) * scale), Float((a * f - c * d) * scale))
    }

    /// Of least squares over known places.
    /// - Returns: `nil` if they don't determine one.
    init?(_ known: [(modules: Place, place: Place)]) {
        var equations = NormalEquations(count: 8)
        for pair in known {
            let (u, v) = (Double(pair.modules.x), Double(pair.modules.y))
            let (x, y) = (Double(pair.place.x), Double(pair.place.y))
            equations.add([u, v, 1, 0, 0, 0, -u * x, -v * x], x, weight: 1)
            equations.add([0, 0, 0, u, v, 1, -u * y, -v * y], y, weight: 1)
        }
        guard let solution = equations.solved() else { return nil }
        terms = solution
    }

    /// From three patterns of a code of `side` modules: their centres and their corners.
    init?(_ triple: FinderTriple, side: Int) {
        var known: [(modules: Place, place: Place)] = []
        for (frame, middle) in triple.patterns(ofSide: side) {
            for offset in [Place(0, 0), Place(-3.5, -3.5), Place(3.5, -3.5), Place(3.5, 3.5), Place(-3.5, 3.5)] {
                known.append((middle + offset, frame.place(offset)))
            }
        }
        self.init(known)
        let corners = [Place(0, 0), Place(Float(side), 0), Place(0, Float(side)), Place(Float(side), Float(side))]
        for corner in corners {
            // The code doesn't reach the horizon.
            guard terms[6] * Double(corner.x) + terms[7] * Double(corner.y) + 1 > 0.2 else { return nil }
        }
    }
}
