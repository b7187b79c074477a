/// Keeps pictures that are full of finder patterns from taking minutes: ZXing compares every three patterns of a plane, which takes a tenth
/// of a second for 150 of them and a quarter of a minute for 800. A crowded plane is read tile by tile; if even that costs too much, or the
/// picture has already cost enough, it is read without QR codes. ZBar's search takes longer with more patterns and pixels, so it doesn't
/// look for QR codes in crowded planes.
///
/// Costs are counted, in pixels of an ordinary look, not measured: so what is read doesn't depend on the machine.
struct FinderCrowd {
    /// One look at a plane or tile.
    struct Look {
        var plane: LumaPlane
        var symbologies: DecoderSymbologies
    }

    /// The codes that decoders find by their finder patterns.
    static let codes = DecoderSymbologies([.qrCode, .microQRCode, .rmqrCode])
    /// The most to spend on one look. About 250 patterns, half a second on a PC.
    static let mostForLook = 20_000_000
    /// The most to spend on all looks at one picture. About three seconds.
    static let mostForPicture = 120_000_000
    /// The most of that to spend on whole planes that aren't cheap: tiles show the same codes for less.
    static let mostForWholePlanes = 60_000_000
    /// About 90 patterns.
    static let cheap = 1_000_000

    private var spent = 0
    /// Whether some part was read without QR codes.
    private(set) var leftOut = false

    /// The looks at a plane for these symbologies.
    mutating func looks(at plane: LumaPlane, for symbologies: DecoderSymbologies) -> [Look] {
        let whole = Look(plane: plane, symbologies: symbologies)
        guard !symbologies.intersection(Self.codes).isEmpty else { return [whole] }
        let cost = Self.cost(of: plane)
        if cost <= Self.cheap || (cost <= Self.mostForLook && spent + cost <= Self.mostForWholePlanes) {
            return [spend(cost, on: whole)]
        }
        let others = Look(plane: plane, symbologies: symbologies.subtracting(Self.codes))
        var looks = others.symbologies.isEmpty ? [] : [others]
        for index in 0..<ReadPass.Treatment.smallTileCount {
            guard let tile = ReadPass.Treatment.smallTile(index).applied(to: plane) else { continue }
            let look = spend(
                Self.cost(of: tile), on: Look(plane: tile, symbologies: symbologies.intersection(Self.codes)))
            if !look.symbologies.isEmpty { looks.append(look) }
        }
        return looks
    }

    /// The same where nobody may count: one look at the whole plane then.
    static func looks(at plane: LumaPlane, for symbologies: DecoderSymbologies, in crowd: inout Self?) -> [Look] {
        crowd?.looks(at: plane, for: symbologies) ?? [Look(plane: plane, symbologies: symbologies)]
    }

    /// The symbologies that ZBar looks for in a plane.
    func symbologies(forZBar symbologies: DecoderSymbologies, on plane: LumaPlane) -> DecoderSymbologies {
        guard !symbologies.intersection(Self.codes).isEmpty, Self.cost(of: plane) > Self.mostForLook else {
            return symbologies
        }
        return symbologies.subtracting(Self.codes)
    }

    private mutating func spend(_ cost: Int, on look: Look) -> Look {
        if cost <= Self.mostForLook, spent + cost <= Self.mostForPicture {
            spent += cost
            return look
        }
        leftOut = true
        return Look(plane: look.plane, symbologies: look.symbologies.subtracting(Self.codes))
    }

    /// Every three of n patterns; each three take as long as some seven pixels.
    private static func cost(of plane: LumaPlane) -> Int {
        let count = min(FinderCensus(plane: plane, leastModule: 1).count(), 100_000)
        return count * count * count * 5 / 4
    }
}
