import Vocabulary

/// What the program said on standard error: the last lines, and what they mean.
struct RpicamTalk: Sendable {
    private static let keptLines = 6

    private var splitter = RpicamLines(longest: 300)
    private(set) var lines: [String] = []

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for line in splitter.add(bytes) { take(line) }
    }

    /// On one line; "" when it said nothing.
    var text: String {
        let last = splitter.partial
        return (lines + (last.isEmpty ? [] : [Self.text(last)])).joined(separator: "; ")
    }

    /// The option it stumbled over, without dashes.
    var unknownOption: String? {
        for line in lines {
            guard line.contains("unrecognised option") || line.contains("unrecognized option"),
                let open = line.firstIndex(of: "'")
            else { continue }
            let name = line[line.index(after: open)...].prefix { $0 != "'" }.drop { $0 == "-" }
            if !name.isEmpty { return String(name) }
        }
        return nil
    }

    /// The camera's failure behind these words.
    /// - Parameter what: what happened, with the program's name.
    func failure(_ what: String, camera: String) -> CameraFailure {
        let said = text
        let detail = said.isEmpty ? what : "\(what): \(said)"
        if said.contains("failed to acquire camera") || said.contains("in use by another process") {
            return .inUse(detail: "\(camera): \(detail)")
        }
        if said.contains("no cameras available") || said.contains("selected camera is not available") {
            return .unavailable(.notFound(wanted: camera, found: []))
        }
        return .unavailable(.cannotBeAcquired(detail: detail))
    }

    private mutating func take(_ line: [UInt8]) {
        // "#1234 (30.00 fps) exp 4996.00 ag 2.00 dg 1.00": a line a frame.
        guard let first = line.first, first != UInt8(ascii: "#") else { return }
        lines.append(Self.text(line))
        if lines.count > Self.keptLines { lines.removeFirst() }
    }

    private static func text(_ line: [UInt8]) -> String {
        String(decoding: line, as: UTF8.self).asOneLine
    }
}
