/// What `rpicam-vid --metadata-format txt` writes after each frame: lines of `Name=value`, an empty one at the end.
struct RpicamMetadata: Sendable {
    struct Record: Hashable, Sendable {
        /// Nanoseconds, start of exposure.
        var sensorTimestamp: Int64?
        var lux: Float?
    }

    /// Frames whose record has come.
    private(set) var count = 0
    /// Records that haven't been taken yet, oldest first.
    private var waiting: [Record] = []
    /// A longer line isn't one of ours.
    private var lines = RpicamLines(longest: 65_536)
    private var record = Record()
    private var isEmpty = true

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for line in lines.add(bytes) { take(line) }
    }

    /// The record of the frame with this number, from 0; older ones are dropped.
    mutating func take(_ number: Int) -> Record? {
        let first = count - waiting.count
        guard number >= first, number < count else { return nil }
        let record = waiting[number - first]
        waiting.removeFirst(number - first + 1)
        return record
    }

    private mutating func take(_ line: [UInt8]) {
        guard !line.isEmpty else {
            if !isEmpty {
                waiting.append(record)
                count += 1
            }
            record = Record()
            isEmpty = true
            // Nobody asks for records of frames that are long past.
            if waiting.count > 64 { waiting.removeFirst() }
            return
        }
        isEmpty = false
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return }
        let value = String(decoding: line[(equals + 1)...], as: UTF8.self)
        switch String(decoding: line[..<equals], as: UTF8.self) {
        case "SensorTimestamp": record.sensorTimestamp = Int64(value)
        // "nan" is a number to Swift, but not a light level.
        case "Lux": record.lux = Float(value).flatMap { $0.isFinite ? $0 : nil }
        default: break
        }
    }
}
