import Foundation
import Vocabulary

/// How a picture is held in front of the camera.
enum Hold: String, CaseIterable {
    /// On a stand: the frames differ only by shot noise.
    case still
    /// In a hand: it drifts and trembles, so the exposure blurs frames and the rolling shutter shears them; the lens focuses during the first
    /// 0.4 s.
    case hand
}

/// The frames of one picture that a camera would deliver; the same seed gives the same frames.
struct VirtualCamera {
    private let picture: ShownPicture
    private let hold: Hold
    private let seed: UInt64
    /// In pixels, for each frame.
    private let path: [(x: Double, y: Double)]

    static let framesPerSecond = 30.0
    /// Electrons at full scale; noise is the square root of their number: a small sensor in a shop's light. 40 dB at white.
    private static let fullWell = 10_000.0
    /// The fraction of a frame's time that the shutter is open: 1/90 s.
    private static let exposure = 1.0 / 3
    /// The fraction of a frame's time from the first row's exposure to the last row's.
    private static let readout = 0.6
    /// The lens's blur when the picture appears, as the standard deviation in pixels, and how long it takes to go away.
    private static let firstDefocus = 3.0
    private static let focusFrames = 12.0

    init(_ picture: ShownPicture, hold: Hold, frames: Int, seed: UInt64) {
        self.picture = picture
        self.hold = hold
        self.seed = seed
        var random = SplitMix(seed: seed)
        // Hands tremble at 1 to 10 Hz by some tenths of a degree; at arm's length, that is a handful of pixels.
        var place = (x: 0.0, y: 0.0)
        var speed = (x: random.normal() * 2, y: random.normal() * 2)
        var path: [(x: Double, y: Double)] = []
        for _ in 0...frames {
            path.append(place)
            speed.x = 0.85 * speed.x - 0.03 * place.x + random.normal() * 1.2
            speed.y = 0.85 * speed.y - 0.03 * place.y + random.normal() * 1.2
            place = (place.x + speed.x, place.y + speed.y)
        }
        self.path = path
    }

    /// Rows without padding.
    func frame(_ index: Int) -> [UInt8] {
        var frame = picture.pixels
        if hold == .hand {
            let defocus = max(0, Self.firstDefocus * (1 - Double(index) / Self.focusFrames))
            frame = blurred(frame, deviation: defocus)
            frame = moved(frame, from: path[index], to: path[index + 1])
        }
        addNoise(to: &frame, seed: seed &+ UInt64(index) &* 0x1_0001)
        return frame
    }

    /// Where a point of the frame with this number (0…1) lies on the picture, in the same units: halfway through its row's exposure.
    func onPicture(_ point: Point, frame: Int) -> Point {
        guard hold == .hand, path.indices.contains(frame + 1) else { return point }
        let (start, end) = (path[frame], path[frame + 1])
        let time = Self.readout * point.y + Self.exposure / 2
        return Point(
            x: point.x + (start.x + (end.x - start.x) * time) / Double(ShownPicture.size.width),
            y: point.y + (start.y + (end.y - start.y) * time) / Double(ShownPicture.size.height))
    }

    /// Each row is exposed a little later than the one above it, and for just as long: the mean of what it sees at four instants.
    private func moved(
        _ source: [UInt8], from start: (x: Double, y: Double), to end: (x: Double, y: Double)
    ) -> [UInt8] {
        let (width, height) = (ShownPicture.size.width, ShownPicture.size.height)
        let looks = 4
        return [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            source.withUnsafeBufferPointer { source in
                var sums = [Int32](repeating: 0, count: width)
                for y in 0..<height {
                    for x in 0..<width { sums[x] = 0 }
                    for look in 0..<looks {
                        let time =
                            Self.readout * Double(y) / Double(height) + Self.exposure * Double(look) / Double(looks)
                        let (dx, dy) = (start.x + (end.x - start.x) * time, start.y + (end.y - start.y) * time)
                        Self.add(source, row: Double(y) + dy, shift: dx, width: width, height: height, to: &sums)
                    }
                    for x in 0..<width { target[y * width + x] = UInt8(clamping: sums[x] / Int32(looks * 64)) }
                }
            }
            count = width * height
        }
    }

    /// Adds 64 times a row that is shifted by fractions of a pixel.
    private static func add(
        _ source: UnsafeBufferPointer<UInt8>, row: Double, shift: Double, width: Int, height: Int,
        to sums: inout [Int32]
    ) {
        let (top, left) = (row.rounded(.down), shift.rounded(.down))
        let (fy, fx) = (Int32((row - top) * 8), Int32((shift - left) * 8))
        let upper = min(max(Int(top), 0), height - 1) * width
        let lower = min(max(Int(top) + 1, 0), height - 1) * width
        let first = Int(left)
        for x in 0..<width {
            let a = min(max(x + first, 0), width - 1)
            let b = min(max(x + first + 1, 0), width - 1)
            let above = Int32(source[upper + a]) * (8 - fx) + Int32(source[upper + b]) * fx
            let below = Int32(source[lower + a]) * (8 - fx) + Int32(source[lower + b]) * fx
            sums[x] += above * (8 - fy) + below * fy
        }
    }

    /// Three box filters are nearly a Gaussian.
    private func blurred(_ source: [UInt8], deviation: Double) -> [UInt8] {
        let radius = Int((deviation * deviation * 4 + 1).squareRoot() / 2)
        guard radius > 0 else { return source }
        var frame = source
        for _ in 0..<3 {
            frame = Self.boxed(frame, width: ShownPicture.size.width, step: 1, lines: ShownPicture.size.height, radius)
            frame = Self.boxed(
                frame, width: ShownPicture.size.height, step: ShownPicture.size.width, lines: ShownPicture.size.width,
                radius)
        }
        return frame
    }

    /// - Parameters:
    ///   - width: the number of samples in a line.
    ///   - step: from one sample of a line to the next; 1 for rows, otherwise lines begin side by side.
    private static func boxed(_ source: [UInt8], width: Int, step: Int, lines: Int, _ radius: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
            source.withUnsafeBufferPointer { source in
                let size = Int32(2 * radius + 1)
                for line in 0..<lines {
                    let start = step == 1 ? line * width : line
                    var sum: Int32 = 0
                    for x in -radius...radius { sum += Int32(source[start + min(max(x, 0), width - 1) * step]) }
                    for x in 0..<width {
                        target[start + x * step] = UInt8(clamping: (sum + size / 2) / size)
                        sum += Int32(source[start + min(x + radius + 1, width - 1) * step])
                        sum -= Int32(source[start + max(x - radius, 0) * step])
                    }
                }
            }
            count = source.count
        }
    }

    private func addNoise(to frame: inout [UInt8], seed: UInt64) {
        let scale = 255 / Self.fullWell.squareRoot()
        let deviations = (0...255).map { Float(scale * (Double($0) / 255).squareRoot()) }
        var random = SplitMix(seed: seed)
        frame.withUnsafeMutableBufferPointer { frame in
            Self.gaussian.withUnsafeBufferPointer { gaussian in
                var bits: UInt64 = 0
                for index in frame.indices {
                    if index & 3 == 0 { bits = random.next() } else { bits >>= 16 }
                    let noise = gaussian[Int(bits & 0xFFF)] * deviations[Int(frame[index])]
                    frame[index] = UInt8(clamping: Int((Float(frame[index]) + noise).rounded()))
                }
            }
        }
    }

    /// Normal numbers to draw from.
    private static let gaussian: [Float] = {
        var random = SplitMix(seed: 1)
        return (0..<4096).map { _ in Float(random.normal()) }
    }()
}
