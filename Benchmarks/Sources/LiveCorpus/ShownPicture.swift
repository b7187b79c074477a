import CImage
import Foundation
import ReaderProtocol
import Reading
import Vocabulary

/// A corpus picture as a camera of 1280×720 sees it.
struct ShownPicture {
    static let size = FrameSize(width: 1280, height: 720)

    /// A frame, rows without padding.
    let pixels: [UInt8]
    /// The picture's size in pixels.
    private let source: FrameSize

    /// `nil` if it can't be read.
    init?(path: String) {
        var image = CImage_Luma()
        guard Int(CImage_load(path, 100_000_000, &image, nil, 0)) == CIMAGE_OK, let source = image.pixels else {
            return nil
        }
        defer { CImage_free(&image) }
        let size = FrameSize(width: Int(image.width), height: Int(image.height))
        self.source = size
        var frame = [UInt8](repeating: 0, count: Self.size.width * Self.size.height)
        frame.withUnsafeMutableBufferPointer {
            Letterbox.fit(
                UnsafeBufferPointer(start: source, count: size.width * size.height), size: size, into: Self.size, $0)
        }
        pixels = frame
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
        let inner = Letterbox.innerSize(of: source, in: Self.size)
        let (width, height) = (Double(Self.size.width), Double(Self.size.height))
        let scale = Double(source.width) / Double(inner.width)
        return Point(
            x: (point.x * width - Double((Self.size.width - inner.width) / 2)) * scale,
            y: (point.y * height - Double((Self.size.height - inner.height) / 2)) * scale)
    }
}
