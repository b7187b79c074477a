import Settings
import Vocabulary

/// Which sensor modes to try for a resolution. By itself, libcamera may take a mode that reads only the middle of the sensor, so that a
/// smaller resolution silently sees less; here the whole field of view comes first.
enum SensorModeChoice {
    /// A mode counts as showing everything from this part on: drivers crop a few border pixels.
    static let wholeField = 0.95
    /// Enough bits per sample; more only cost bandwidth.
    static let preferredBitDepth = 10

    /// In the order in which they are tried; `nil` leaves the choice to libcamera (webcams have no modes).
    static func candidates(_ modes: [SensorMode], for resolution: FrameSize, wanted: SensorMode?) -> [SensorMode?] {
        if let wanted {
            let depth = wanted.bitDepth ?? bestDepth(modes.filter { $0.size == wanted.size })
            return [SensorMode(size: wanted.size, bitDepth: depth)]
        }
        var sizes: [FrameSize] = []
        for mode in modes where !sizes.contains(mode.size) { sizes.append(mode.size) }
        sizes.sort { $0.width * $0.height < $1.width * $1.height }
        let enough = sizes.filter { $0.width >= resolution.width && $0.height >= resolution.height }
        let tried = enough.isEmpty ? Array(sizes.suffix(1)) : enough
        if tried.isEmpty { return [nil] }
        return tried.map { size in SensorMode(size: size, bitDepth: bestDepth(modes.filter { $0.size == size })) }
    }

    private static func bestDepth(_ modes: [SensorMode]) -> Int? {
        let depths = modes.compactMap(\.bitDepth)
        return depths.contains(preferredBitDepth) ? preferredBitDepth : depths.max()
    }

    /// The part of what the whole array could show in the frame's shape that `field` shows: 0…1.
    static func fieldOfView(field: FrameSize, array: FrameSize, frame: FrameSize) -> Double {
        func shown(_ size: FrameSize) -> Double {
            let width = min(
                Double(size.width), Double(size.height) * Double(frame.width) / Double(max(frame.height, 1)))
            return width * width
        }
        let whole = shown(array)
        return whole > 0 ? min(1, shown(field) / whole) : 1
    }
}
