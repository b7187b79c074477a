import Glibc
import Settings
import Vocabulary

/// What a hand and a cheap camera do to a picture: it wanders, comes closer and moves away, shakes, is noisy, gets brighter or darker. The
/// same seed and frame number give the same picture. One pass per row, so that a slow machine keeps up 30 fps.
struct SimulatedMovement {
    /// Where the camera looks on one frame.
    struct Pose: Hashable {
        /// Offset of the centre, as a fraction of the frame.
        var x = 0.0
        var y = 0.0
        /// 1: the picture as it is; more: closer.
        var scale = 1.0
        /// Radius of the horizontal smear in pixels.
        var blurRadius = 0
        /// Largest noise amplitude in grey levels.
        var noise = 0
        /// Factor on the brightness.
        var exposure = 1.0
    }

    /// Extremes at a setting of 1.
    static let largestPan = 0.15
    static let largestZoom = 0.3
    static let largestBlur = 4.0
    static let largestNoise = 24.0
    static let largestExposure = 0.45
    private static let noiseTableSize = 1 << 14

    let movement: ReplaySettings.Movement
    /// The camera's own digital zoom.
    var zoom = 1.0
    private var phases: [Double] = []
    private var noiseTable: [Int8] = []
    private var row: [UInt8] = []

    init(_ movement: ReplaySettings.Movement) {
        self.movement = movement
        guard case .simulated(_, _, _, _, _, let seed) = movement else { return }
        var random = SplitMix64(seed: seed)
        phases = (0..<10).map { _ in random.nextUnit() * 2 * .pi }
        noiseTable = (0..<Self.noiseTableSize).map { _ in Int8(truncatingIfNeeded: random.next() >> 32) }
    }

    /// Whether frames are the pictures themselves.
    var isStill: Bool { movement == .still && zoom == 1 }

    func pose(frame: UInt64) -> Pose {
        var pose = Pose()
        pose.scale = zoom
        guard case .simulated(let pan, let zoomRange, let blur, let noise, let exposure, _) = movement else {
            return pose
        }
        // Two incommensurable sines each: smooth like a hand, without a visible period.
        let t = Double(frame % 1_000_000)
        func wander(_ index: Int, _ speed: Double) -> Double {
            0.6 * sin(t * speed + phases[2 * index]) + 0.4 * sin(t * speed * 1.618 + phases[2 * index + 1])
        }
        func part(_ amount: Double) -> Double { min(max(amount, 0), 1) }
        pose.x = part(pan) * Self.largestPan * wander(0, 0.05)
        pose.y = part(pan) * Self.largestPan * wander(1, 0.04)
        pose.scale *= 1 + part(zoomRange) * Self.largestZoom * wander(2, 0.03)
        pose.blurRadius = Int((part(blur) * Self.largestBlur * abs(wander(3, 0.07))).rounded())
        pose.noise = Int((part(noise) * Self.largestNoise).rounded())
        pose.exposure = 1 + part(exposure) * Self.largestExposure * wander(4, 0.02)
        return pose
    }

    /// Draws `picture` as seen on `frame` into `output`, which has the picture's size.
    mutating func render(_ picture: Picture, frame: UInt64, into output: UnsafeMutableBufferPointer<UInt8>) {
        let size = picture.size
        guard let target = output.baseAddress, output.count >= size.width * size.height, size.width > 0 else { return }
        let pose = pose(frame: frame)
        let brightness = (0..<256).map { UInt8(min(255, (Double($0) * pose.exposure).rounded())) }
        let noise = UInt64(Self.noiseTableSize - 1)
        if row.count != size.width { row = [UInt8](repeating: 0, count: size.width) }
        var random = SplitMix64(seed: frame)
        // 16.16 fixed point: source = centre + (target - centre) / scale + offset.
        let step = Int(65536 / max(pose.scale, 0.1))
        let startX = Int((Double(size.width) * (0.5 + pose.x)) * 65536) - step * size.width / 2
        let startY = Int((Double(size.height) * (0.5 + pose.y)) * 65536) - step * size.height / 2
        picture.pixels.withUnsafeBufferPointer { pixels in
            guard let source = pixels.baseAddress else { return }
            row.withUnsafeMutableBufferPointer { row in
                brightness.withUnsafeBufferPointer { brightness in
                    noiseTable.withUnsafeBufferPointer { table in
                        for y in 0..<size.height {
                            Self.sample(source, size, y: startY + y * step, x: startX, step: step, into: row)
                            let line = target + y * size.width
                            Self.smear(row, radius: pose.blurRadius, into: line)
                            for x in 0..<size.width { line[x] = brightness[Int(line[x])] }
                            guard pose.noise > 0, !table.isEmpty else { continue }
                            let offset = Int(truncatingIfNeeded: random.next() & noise)
                            for x in 0..<size.width {
                                let grain = Int(table[(offset &+ x) & Int(noise)]) &* pose.noise / 128
                                line[x] = UInt8(clamping: Int(line[x]) &+ grain)
                            }
                        }
                    }
                }
            }
        }
    }

    /// One bilinear row; outside the picture is ground.
    private static func sample(
        _ source: UnsafePointer<UInt8>, _ size: FrameSize, y: Int, x: Int, step: Int,
        into row: UnsafeMutableBufferPointer<UInt8>
    ) {
        let top = y >> 16
        guard top >= 0, top < size.height - 1 else {
            row.update(repeating: Letterbox.ground)
            return
        }
        let fractionY = (y & 0xFFFF) >> 8
        let upper = source + top * size.width
        let lower = upper + size.width
        var position = x
        for column in 0..<row.count {
            let left = position >> 16
            if left >= 0, left < size.width - 1 {
                let fractionX = (position & 0xFFFF) >> 8
                let a = Int(upper[left]) &* (256 &- fractionX) &+ Int(upper[left &+ 1]) &* fractionX
                let b = Int(lower[left]) &* (256 &- fractionX) &+ Int(lower[left &+ 1]) &* fractionX
                row[column] = UInt8(truncatingIfNeeded: (a &* (256 &- fractionY) &+ b &* fractionY) >> 16)
            } else {
                row[column] = Letterbox.ground
            }
            position &+= step
        }
    }

    /// A running mean over 2·radius + 1 pixels.
    private static func smear(
        _ row: UnsafeMutableBufferPointer<UInt8>, radius: Int, into line: UnsafeMutablePointer<UInt8>
    ) {
        let count = row.count
        guard radius > 0, count > 2 * radius, let base = row.baseAddress else {
            if let base = row.baseAddress { line.update(from: base, count: count) }
            return
        }
        let width = 2 * radius + 1
        var sum = Int(base[0]) * (radius + 1)
        for x in 1...radius { sum += Int(base[x]) }
        for x in 0..<count {
            line[x] = UInt8(truncatingIfNeeded: sum / width)
            sum &+= Int(base[min(x &+ radius &+ 1, count &- 1)]) &- Int(base[max(x &- radius, 0)])
        }
    }
}
