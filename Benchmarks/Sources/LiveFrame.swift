import CImage
import Foundation

/// A frame of 1280x720 made of a corpus photo: laid out side by side, mirrored, until the frame is full, as a camera would
/// show more of the same surroundings; or once in the middle of a grey one.
struct LiveFrame {
    static let width = 1280
    static let height = 720

    let name: String
    let pixels: [UInt8]

    /// Even grey with a sensor's noise of two levels.
    static let blank = LiveFrame(
        name: "blank",
        pixels: (0..<width * height).map { 120 + UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 16) % 3 })

    private init(name: String, pixels: [UInt8]) {
        self.name = name
        self.pixels = pixels
    }

    /// `nil` if the picture can't be read.
    init?(name: String, path: String, isTiled: Bool) {
        var image = CImage_Luma()
        guard Int(CImage_load(path, 100_000_000, &image, nil, 0)) == CIMAGE_OK, let source = image.pixels else {
            return nil
        }
        defer { CImage_free(&image) }
        let (w, h) = (Int(image.width), Int(image.height))
        var frame = [UInt8](repeating: 160, count: Self.width * Self.height)
        let (left, top) = ((Self.width - w) / 2, (Self.height - h) / 2)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                if isTiled {
                    let (column, row) = (x % (2 * w), y % (2 * h))
                    let sourceX = column < w ? column : 2 * w - 1 - column
                    let sourceY = row < h ? row : 2 * h - 1 - row
                    frame[y * Self.width + x] = source[sourceY * w + sourceX]
                } else if x >= left, x < left + w, y >= top, y < top + h {
                    frame[y * Self.width + x] = source[(y - top) * w + x - left]
                }
            }
        }
        self.name = name
        pixels = frame
    }

    /// Writes it as PGM.
    func write(to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Int(
            CImage_write_pgm(descriptor, pixels, Int32(Self.width), Int32(Self.height), Self.width, nil, 0))
            == CIMAGE_OK
    }
}
