import Decoding
import Glibc
import ReaderProtocol
import SoftReader
import Vocabulary

/// What a camera may show: width, height, and by how much each row is shifted against the one above it; then grey values, row after row, again
/// and again.
enum FrameTarget {
    static func check(_ input: inout FuzzInput) throws {
        let size = FrameSize(width: 1 + Int(input.byte()) * 2, height: 1 + Int(input.byte()))
        let shift = Int(input.byte())
        let shown = input.all()
        guard !shown.isEmpty else { return }
        // As large as the picture, so that a step beyond it is found.
        let pixels = (0..<size.height * size.width).map { index in
            shown[(index % size.width + index / size.width * shift) % shown.count]
        }
        try pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            let view = LumaView(base: UnsafeRawPointer(base), size: size, rowStride: size.width)
            let regions = Locator().regions(of: view)
            try demand(regions == Locator().regions(of: view), "the same picture has the same regions")
            try demand(regions.count <= Locator.most, "\(regions.count) regions are no more than the limit")
            let samples = LumaSamples(
                pixels: base, width: size.width, height: size.height, rowStride: size.width)
            let families = [.retail, .code128, others[shown.count % others.count]]
            for region in regions {
                try check(region, in: size)
                if region.kind == .bars { try read(region, samples, as: families) }
            }
        }
    }

    private static func check(_ region: LocatedRegion, in size: FrameSize) throws {
        let figures = [
            region.centre.x, region.centre.y, region.direction, region.length, region.height, region.module,
            region.score,
        ]
        try demand(figures.allSatisfy(\.isFinite), "a region has a place: \(region)")
        // No line in the picture is longer; on which side of a pair of finder patterns their code is isn't known.
        let reach = hypot(Double(size.width), Double(size.height))
        try demand(
            (0...Double(size.width)).contains(region.centre.x) && (0...Double(size.height)).contains(region.centre.y)
                && region.length <= reach && region.height <= 2 * reach && region.module >= 0,
            "a region lies in the picture: \(region) in \(size)")
    }

    /// One of them an input, as reading takes longer than all else: a seed and its beginnings have all.
    private static let others: [BarFamily] = [.code39, .itf14, .code93, .codabar]

    private static func read(
        _ region: LocatedRegion, _ samples: LumaSamples, as families: [BarFamily]
    ) throws {
        let corners = region.corners.points
        let line = CodeLine(
            left: corners[0].middle(to: corners[3]), right: corners[1].middle(to: corners[2]), height: region.height)
        for family in families {
            if let code = SoftReader().read(samples, on: line, as: family) { try check(code, of: family) }
        }
    }

    /// A code says what its symbology can say.
    private static func check(_ code: SoftReading, of family: BarFamily) throws {
        let ends = [code.left.x, code.left.y, code.right.x, code.right.y]
        try demand(ends.allSatisfy(\.isFinite) && code.moduleWidth.isFinite, "a code has a place: \(code)")
        let bytes = code.bytes
        let isText =
            switch family {
            case .retail:
                isRetail(code)
            case .code128:
                code.symbology == .code128 && !bytes.isEmpty && bytes.allSatisfy { $0 < 0x80 }
            case .code39:
                code.symbology == .code39 && !bytes.isEmpty && bytes.allSatisfy(CheckDigit.code39Characters.contains)
            case .itf14:
                code.symbology == .itf && bytes.count == 14 && CheckDigit.isValidGS1Mod10(bytes)
            case .code93:
                code.symbology == .code93 && !bytes.isEmpty && bytes.allSatisfy { $0 < 0x80 }
            case .codabar:
                code.symbology == .codabar && isCodabar(bytes)
            }
        try demand(isText, "what is read as \(family) is one: \(code)")
    }

    private static func isRetail(_ code: SoftReading) -> Bool {
        let digits = code.symbology == .upcE ? UPCE.expanded(code.bytes) : code.bytes
        return [.ean13, .ean8, .upcA, .upcE].contains(code.symbology)
            && code.bytes.allSatisfy { (0x30...0x39).contains($0) } && digits.map(CheckDigit.isValidGS1Mod10) == true
    }

    private static func isCodabar(_ bytes: [UInt8]) -> Bool {
        let inner = bytes.dropFirst().dropLast()
        return inner.count >= 4 && inner.allSatisfy("0123456789-$".utf8.contains)
            && [bytes.first, bytes.last].allSatisfy { "ABCD".utf8.contains($0 ?? 0) }
    }
}

extension Point {
    fileprivate func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }
}
