/// Keeps pictures that are full of finder patterns from taking minutes: ZXing compares every three of a plane, a tenth of a
/// second for 150 of them and a quarter of a minute for 800. A crowded plane is looked at tile by tile; where even that costs too
/// much, or the picture has cost enough already, without QR codes. ZBar, whose search grows with patterns and pixels, leaves QR codes
/// out of crowded planes.
///
/// Costs are counted, in pixels of an ordinary look, and not measured: what is read doesn't depend on the machine.
struct FinderCrowd {
    /// A look.
    struct Look {
        var plane: LumaPlane
        var symbologies: DecoderSymbologies
    }

    /// The codes that are found by their finder patterns.
    static let codes = DecoderSymbologies([.qrCode, .microQRCode, .rmqrCode])
    /// More isn't spent on one look. About 250 patterns, half a second on a PC.
    static let mostForLook = 20_000_000
    /// Nor on all looks at one picture. About three seconds.
    static let mostForPicture = 120_000_000
    /// Nor, of that, on whole planes that aren't cheap: tiles show the same codes for less.
    static let mostForWholePlanes = 60_000_000
    /// Some 90 patterns.
    static let cheap = 1_000_000

    private var spent = 0
    /// Whether a part was looked at without QR codes.
    private(set) var leftOut = false

    /// How a plane is looked at for these symbologies.
    mutating func looks(at plane: LumaPlane, for symbologies: DecoderSymbologies) -> [Look] {
        let whole = Look(plane: plane, symbologies: symbologies)
        guard !symbologies.and(Self.codes).isEmpty else { return [whole] }
        let cost = Self.cost(of: plane)
        if cost <= Self.cheap || (cost <= Self.mostForLook && spent + cost <= Self.mostForWholePlanes) {
            return [spend(cost, on: whole)]
        }
        let others = Look(plane: plane, symbologies: symbologies.without(Self.codes))
        var looks = others.symbologies.isEmpty ? [] : [others]
        for index in 0..<ReadPlan.smallTileCount {
            guard let tile = plane.treated(.smallTile(index)) else { continue }
            let look = spend(
                Self.cost(of: tile), on: Look(plane: tile, symbologies: symbologies.and(Self.codes)))
            if !look.symbologies.isEmpty { looks.append(look) }
        }
        return looks
    }

    /// For which symbologies ZBar looks at a plane.
    func symbologies(forZBar symbologies: DecoderSymbologies, on plane: LumaPlane) -> DecoderSymbologies {
        guard !symbologies.and(Self.codes).isEmpty, Self.cost(of: plane) > Self.mostForLook else { return symbologies }
        return symbologies.without(Self.codes)
    }

    private mutating func spend(_ cost: Int, on look: Look) -> Look {
        if cost <= Self.mostForLook, spent + cost <= Self.mostForPicture {
            spent += cost
            return look
        }
        leftOut = true
        return Look(plane: look.plane, symbologies: look.symbologies.without(Self.codes))
    }

    /// Every three of n patterns, each taking as long as some seven pixels.
    private static func cost(of plane: LumaPlane) -> Int {
        let count = min(FinderCensus(plane: plane, leastModule: 1).count(), 100_000)
        return count * count * count * 5 / 4
    }
}
