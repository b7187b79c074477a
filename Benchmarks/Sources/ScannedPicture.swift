import Vocabulary
import Wire

/// One line of `scanstation scan`, as a contestant's readings.
struct ScannedPicture {
    let file: String
    let readings: [PeerReading]
    /// Why it wasn't read, or not to the end.
    let error: String?

    /// - Parameter line: `{"type":"picture","file":…,"width":…,"height":…,"codes":[…]}`
    init(line: [UInt8]) throws {
        let json = try JSONValue(parsing: line)
        guard let file = json["file"]?.stringValue, let codes = json["codes"]?.arrayValue else {
            throw BenchmarkFailure("not a line of scanstation scan: \(json)")
        }
        self.file = file
        error = json["error"]?.stringValue
        let width = json["width"]?.doubleValue ?? 0
        let height = json["height"]?.doubleValue ?? 0
        readings = try codes.map { code in
            guard let symbology = code["symbology"]?.stringValue.flatMap(Symbology.init(rawValue:)),
                let bytes = code["bytes"]?.stringValue.flatMap({ Base64.decode($0) }),
                let corners = code["corners"]?.arrayValue?.compactMap(\.arrayValue), corners.count == 4
            else { throw BenchmarkFailure("not a code of scanstation scan: \(code)") }
            func mean(_ axis: Int) -> Double {
                corners.reduce(0) { $0 + ($1.count == 2 ? $1[axis].doubleValue ?? 0 : 0) } / 4
            }
            return PeerReading(
                symbology: symbology, bytes: bytes, text: code["text"]?.stringValue,
                centre: Point(x: mean(0) * width, y: mean(1) * height))
        }
    }
}
