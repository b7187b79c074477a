import Vocabulary

/// Whether a Micro QR code stands alone. It has one finder pattern, two modules of paper around it, and the smallest ones hold five digits with nothing
/// to check them by: in the corner of a QR code that can't be read, a decoder finds one again and again, in every frame the same. There the
/// QR code goes on beyond it, on both sides away from the pattern.
struct MicroQuietZone {
    let plane: LumaPlane

    /// How far beyond the edge to look, in modules of the smallest code: two lines, which are within the paper around the largest one, too.
    private static let distances = [0.6, 1.2]
    /// Modules along a side of the smallest code and of the largest (ISO/IEC 18004).
    private static let sides = 11...17
    /// A line is printed on if it changes this often between dark and light: of a QR code's eleven modules 95 in 100 do. The edge of a label that was cut
    /// tight or askew, a shadow and a frame change once or twice.
    private static let leastChanges = 3
    /// Luma within this part of the contrast around the middle is neither dark nor light.
    private static let undecided = 0.15
    /// With less contrast, in steps of luma, nothing can be told.
    private static let leastContrast = 8
    private static let samples = 34

    /// `true` for other symbologies, and where the picture ends.
    func isSeen(around reading: PassReading) -> Bool {
        guard reading.symbology == .microQRCode else { return true }
        let square = reading.corners
        guard let (dark, light) = range(of: square), light - dark >= Self.leastContrast else { return true }
        let band = Int(Double(light - dark) * Self.undecided)
        let limits = ((dark + light) / 2 - band, (dark + light) / 2 + band)
        // The pattern's corner may be any of the four: decoders differ. The QR code goes on at two sides that meet.
        let areFull = (0..<4).map { side in
            Self.distances.contains { changes(beyond: side, at: $0, of: square, limits) >= Self.leastChanges }
        }
        return !(0..<4).contains { areFull[$0] && areFull[($0 + 1) % 4] }
    }

    /// How often a line beyond a side changes between dark and light.
    private func changes(
        beyond side: Int, at distance: Double, of square: Quad, _ limits: (dark: Int, light: Int)
    ) -> Int {
        let beyond = distance / Double(Self.sides.lowerBound)
        var changes = 0
        var isDark: Bool?
        for index in 0..<Self.samples {
            let along = (Double(index) + 0.5) / Double(Self.samples)
            let (u, v) =
                switch side {
                case 0: (along, -beyond)
                case 1: (1 + beyond, along)
                case 2: (along, 1 + beyond)
                default: (-beyond, along)
                }
            guard let luma = luma(at: square.point(u, v)), luma < limits.dark || luma > limits.light else { continue }
            let isDarkNow = luma < limits.dark
            if let isDark, isDark != isDarkNow { changes += 1 }
            isDark = isDarkNow
        }
        return changes
    }

    /// Luma of dark and of light modules.
    private func range(of square: Quad) -> (dark: Int, light: Int)? {
        let steps = 2 * Self.sides.upperBound
        var values: [Int] = []
        for row in 0..<steps {
            for column in 0..<steps {
                let point = square.point((Double(column) + 0.5) / Double(steps), (Double(row) + 0.5) / Double(steps))
                if let luma = luma(at: point) { values.append(luma) }
            }
        }
        guard values.count >= steps else { return nil }
        values.sort()
        return (values[values.count / 10], values[values.count * 9 / 10])
    }

    private func luma(at point: Point) -> Int? {
        guard point.x >= 0, point.y >= 0, point.x < Double(plane.width), point.y < Double(plane.height) else {
            return nil
        }
        return Int(plane.row(Int(point.y))[Int(point.x)])
    }
}

extension Quad {
    /// A point of the square that this is a picture of: 0…1 from the first corner, more or less outside. Perspective is left out.
    fileprivate func point(_ u: Double, _ v: Double) -> Point {
        let (a, b, c, d) = (topLeft, topRight, bottomRight, bottomLeft)
        return Point(
            x: (1 - v) * ((1 - u) * a.x + u * b.x) + v * ((1 - u) * d.x + u * c.x),
            y: (1 - v) * ((1 - u) * a.y + u * b.y) + v * ((1 - u) * d.y + u * c.y))
    }
}
