import Settings
import Vocabulary

/// A camera as `rpicam-vid --list-cameras` shows it.
struct RpicamCamera: Hashable, Sendable {
    struct Mode: Hashable, Sendable {
        var size: FrameSize
        /// Bits of a sample; `nil` if the format's name doesn't say.
        var bitDepth: Int?
        /// Highest frame rate.
        var frameRate: Double?
        /// The part of the sensor that it reads.
        var crop: FrameSize?
    }

    /// What the program's `--camera` takes.
    var index: Int
    var model: String
    /// libcamera's id.
    var id: String
    var pixelArray: FrameSize?
    var modes: [Mode] = []

    /// Lines that aren't understood are left out: the list is made for people.
    static func parse(_ text: String) -> [RpicamCamera] {
        var cameras: [RpicamCamera] = []
        var bitDepth: Int?
        for line in text.split(separator: "\n") {
            if let camera = header(line) {
                cameras.append(camera)
                bitDepth = nil
            } else if !cameras.isEmpty {
                if let format = between(line, "'", "'") { bitDepth = depth(of: format) }
                if let mode = mode(line, bitDepth) { cameras[cameras.count - 1].modes.append(mode) }
            }
        }
        return cameras
    }

    var description: CameraDescription {
        var description = CameraDescription(id: id, model: model, location: "", rotation: 0, pixelArray: pixelArray)
        for mode in modes {
            description.sensorModes.append(SensorMode(size: mode.size, bitDepth: mode.bitDepth))
        }
        return description
    }

    /// The mode for a picture of this size: among those that are large and fast enough, the one that shows most, and among these the
    /// smallest. By itself, the program may take one that reads only the middle of the sensor.
    func mode(for resolution: FrameSize, frameRate: Double) -> Mode? {
        let large = modes.filter { $0.size.width >= resolution.width && $0.size.height >= resolution.height }
        let quick = large.filter { ($0.frameRate ?? frameRate) >= frameRate * 0.95 }
        let candidates = quick.isEmpty ? large : quick
        return candidates.max { a, b in
            let (left, right) = (fieldOfView(a, resolution) ?? 1, fieldOfView(b, resolution) ?? 1)
            if abs(left - right) > 1 - SensorModeChoice.wholeField { return left < right }
            return a.size.width * a.size.height > b.size.width * b.size.height
        }
    }

    /// 0…1; `nil` if the list doesn't say.
    func fieldOfView(_ mode: Mode, _ frame: FrameSize) -> Double? {
        let crops = modes.compactMap(\.crop)
        guard let crop = mode.crop, let array = crops.max(by: { $0.width * $0.height < $1.width * $1.height })
        else { return nil }
        return SensorModeChoice.fieldOfView(field: crop, array: array, frame: frame)
    }

    // MARK: Lines

    /// `0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/…/imx708@1a)`
    private static func header(_ line: Substring) -> RpicamCamera? {
        guard let first = line.first, first.isNumber, let colon = line.range(of: " : "),
            let index = Int(line[..<colon.lowerBound]), line.last == ")", let open = line.range(of: "] (")
        else { return nil }
        let rest = line[colon.upperBound..<open.lowerBound]
        guard let bracket = rest.range(of: " [") else { return nil }
        let id = line[open.upperBound...].dropLast()
        let words = rest[bracket.upperBound...].split(separator: " ")
        return RpicamCamera(
            index: index, model: String(rest[..<bracket.lowerBound]), id: String(id),
            pixelArray: words.first.flatMap(size))
    }

    /// `'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]`, the format only in the first of its lines.
    private static func mode(_ line: Substring, _ bitDepth: Int?) -> Mode? {
        guard let bracket = line.range(of: " ["), let end = line.lastIndex(of: "]"), bracket.upperBound <= end,
            let word = line[..<bracket.lowerBound].split(separator: " ").last, let size = size(word)
        else { return nil }
        let words = line[bracket.upperBound..<end].split(separator: " ")
        let crop = words.first { $0.contains(")/") }?.split(separator: "/").last
        return Mode(
            size: size, bitDepth: bitDepth, frameRate: words.first.flatMap { Double($0) }, crop: crop.flatMap(Self.size)
        )
    }

    private static func size(_ text: Substring) -> FrameSize? {
        let sides = text.split(separator: "x").map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else { return nil }
        return FrameSize(width: width, height: height)
    }

    /// The first number in a format's name: 10 of SRGGB10_CSI2P.
    private static func depth(of format: Substring) -> Int? {
        let digits = format.drop { !$0.isNumber }.prefix { $0.isNumber }
        return Int(digits).flatMap { (8...16).contains($0) ? $0 : nil }
    }

    private static func between(_ line: Substring, _ open: Character, _ close: Character) -> Substring? {
        guard let start = line.firstIndex(of: open) else { return nil }
        let rest = line[line.index(after: start)...]
        return rest.firstIndex(of: close).map { rest[..<$0] }
    }
}

extension Substring {
    /// The first place of `text`; the standard library has it in Foundation only.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
