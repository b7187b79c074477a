import CImage
import Foundation
import ReaderProtocol
import Reading
import Vocabulary

/// What a camera of 1280×720 sees when it doesn't move and has no noise.
struct ShownPicture {
    static let size = FrameSize(width: 1280, height: 720)

    /// An easy code to have beside a hard one: modules of two pixels, hardly blurred.
    static let neighbour: RetailCode = {
        var random = SplitMix(seed: 20_261_127)
        return RetailCode.random(.ean13, by: &random)
    }()
    /// How wide the rest of a frame is where the neighbour is in view.
    private static let widthBesideNeighbour = 1000

    /// A frame, rows without padding.
    let pixels: [UInt8]
    /// The part of the frame that the picture is fitted into: from its left edge on.
    private let area: FrameSize
    /// The picture's size in pixels.
    private let source: FrameSize

    /// `nil` if it can't be read.
    /// - Parameter seed: of clutter.
    init?(_ subject: ShownSubject, seed: UInt64) {
        switch subject {
        case .picture(let path):
            guard let (pixels, source) = Self.fitted(path, into: Self.size) else { return nil }
            self.pixels = pixels
            self.source = source
            area = Self.size
        case .pictureWithNeighbour(let path):
            area = FrameSize(width: Self.widthBesideNeighbour, height: Self.size.height)
            guard let (pixels, source) = Self.fitted(path, into: area) else { return nil }
            self.pixels = Self.besideNeighbour(pixels)
            self.source = source
        case .clutter(let clutter):
            pixels = clutter.frame(seed: seed)
            area = Self.size
            source = Self.size
        }
    }

    /// `nil` if it can't be read.
    init?(path: String) { self.init(.picture(path: path), seed: 0) }

    private static func fitted(_ path: String, into area: FrameSize) -> (pixels: [UInt8], source: FrameSize)? {
        var image = CImage_Luma()
        guard Int(CImage_load(path, 100_000_000, &image, nil, 0)) == CIMAGE_OK, let source = image.pixels else {
            return nil
        }
        defer { CImage_free(&image) }
        let size = FrameSize(width: Int(image.width), height: Int(image.height))
        var frame = [UInt8](repeating: 0, count: area.width * area.height)
        frame.withUnsafeMutableBufferPointer {
            Letterbox.fit(
                UnsafeBufferPointer(start: source, count: size.width * size.height), size: size, into: area, $0)
        }
        return (frame, size)
    }

    private static func besideNeighbour(_ pixels: [UInt8]) -> [UInt8] {
        var random = SplitMix(seed: 1)
        var conditions = CodePicture.Conditions()
        conditions.noise = 0
        let code = CodePicture(modules: neighbour.modules, conditions, by: &random)
        var frame = [UInt8](repeating: UInt8(conditions.paper), count: size.width * size.height)
        for y in 0..<size.height {
            let row = y * widthBesideNeighbour
            frame.replaceSubrange(
                y * size.width..<y * size.width + widthBesideNeighbour, with: pixels[row..<row + widthBesideNeighbour])
        }
        let left = widthBesideNeighbour + (size.width - widthBesideNeighbour - code.width) / 2
        let top = (size.height - code.height) / 2
        for y in 0..<code.height {
            let start = (top + y) * size.width + left
            frame.replaceSubrange(start..<start + code.width, with: code.pixels[y * code.width..<(y + 1) * code.width])
        }
        return frame
    }

    /// - Parameter frame: of `size`, rows without padding.
    /// - Returns: what `body` returns; `nil` if the frame is empty.
    @discardableResult
    static func withLuma<Value>(of frame: [UInt8], _ body: (LumaView) -> Value) -> Value? {
        frame.withUnsafeBytes { bytes in
            bytes.baseAddress.map { body(LumaView(base: $0, size: size, rowStride: size.width)) }
        }
    }

    /// Converts a point of the frame (0…1) to pixels of the picture.
    func inPicture(_ point: Point) -> Point {
        let inner = Letterbox.innerSize(of: source, in: area)
        let scale = Double(source.width) / Double(inner.width)
        return Point(
            x: (point.x * Double(Self.size.width) - Double((area.width - inner.width) / 2)) * scale,
            y: (point.y * Double(Self.size.height) - Double((area.height - inner.height) / 2)) * scale)
    }
}
