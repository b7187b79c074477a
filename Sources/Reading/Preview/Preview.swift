import Vocabulary

/// A small upright picture of a whole frame, with what is known about that very frame.
package struct Preview: Hashable, Sendable {
    package var info: FrameInfo
    /// The upright frame's size.
    package var frame: FrameSize
    /// The picture's size.
    package var size: FrameSize
    /// Rows of grey, without padding.
    package var pixels: [UInt8]
    package var viewport: Viewport
    /// Whether this frame's result came in time. If not, nothing is known about its codes.
    package var isRead: Bool
    /// What was read in this frame, inside the viewport; corners on the upright frame.
    package var symbols: [Symbol]
    package var light: PictureLight
    /// See `EdgeSharpness`; `nil`: there is no edge to judge by.
    package var sharpness: Double?
    /// How far the code in view moves from one frame to the next, in pixels of the frame; `nil`: no code was in two pictures in a row.
    package var movement: Double?
    /// Pixels of the frame a module of the smallest code that was read; see `ModulePitch`. `nil`: no code shows it.
    package var modulePixels: Double?
}

/// How bright a picture is.
package struct PictureLight: Hashable, Sendable {
    /// A pixel this dark shows no detail any more; one this bright is burnt out.
    package static let darkest: UInt8 = 15
    package static let brightest: UInt8 = 250
    package static let bins = 32

    /// 0…255.
    package var mean: Double
    /// Share of the pixels that are too dark, 0…1.
    package var dark: Double
    /// Share of the pixels that are burnt out, 0…1.
    package var bright: Double
    /// Pixels by brightness, from dark to bright.
    package var histogram: [Int]

    package init(_ pixels: [UInt8]) {
        var counts = [Int](repeating: 0, count: 256)
        counts.withUnsafeMutableBufferPointer { counts in
            pixels.withUnsafeBufferPointer { pixels in
                for index in 0..<pixels.count { counts[Int(pixels[index])] += 1 }
            }
        }
        let total = Double(max(1, pixels.count))
        mean = Double(counts.indices.reduce(0) { $0 + $1 * counts[$1] }) / total
        dark = Double(counts[...Int(Self.darkest)].reduce(0, +)) / total
        bright = Double(counts[Int(Self.brightest)...].reduce(0, +)) / total
        let width = 256 / Self.bins
        histogram = (0..<Self.bins).map { bin in counts[(bin * width)..<((bin + 1) * width)].reduce(0, +) }
    }
}
