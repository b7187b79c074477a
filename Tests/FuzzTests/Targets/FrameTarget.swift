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
            for region in regions { try check(region, in: size, samples) }
        }
    }

    private static func check(_ region: LocatedRegion, in size: FrameSize, _ samples: LumaSamples) throws {
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
        let corners = region.corners.points
        let line = CodeLine(
            left: corners[0].middle(to: corners[3]), right: corners[1].middle(to: corners[2]), height: region.height)
        guard region.kind == .bars else { return }
        if let code = SoftReader().read(samples, on: line) {
            try demand(
                [.ean13, .ean8, .upcA, .upcE].contains(code.symbology)
                    && code.bytes.allSatisfy { (0x30...0x39).contains($0) }, "what is read is a number: \(code)")
            let digits = code.symbology == .upcE ? UPCE.expanded(code.bytes) : code.bytes
            try demand(digits.map(CheckDigit.isValidGS1Mod10) == true, "its check digit is right: \(code)")
        }
        if let code = SoftReader().read(samples, on: line, as: .code128) {
            try demand(
                code.symbology == .code128 && !code.bytes.isEmpty && code.bytes.allSatisfy { $0 < 0x80 },
                "what is read is ASCII: \(code)")
        }
    }
}

extension Point {
    fileprivate func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }
}
