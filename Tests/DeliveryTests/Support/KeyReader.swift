import Settings

/// A computer's side of a keyboard: turns reports into text, by xkeyboard-config's table and its own rules for dead keys.
///
/// Shares nothing with the tables that are tested. On Windows, dead keys differ from X11's as Microsoft's layouts have it: a
/// dead key and a space make the accent, and the French layout's AltGr with 2 and 7 are dead.
struct KeyReader {
    enum Fault: Error, Hashable {
        case notAReport([UInt8])
        case severalKeys([UInt8])
        /// A key went down while another one was.
        case notReleased([UInt8])
        case noSuchKey(UInt8)
        case deadKeyWithout(String)
    }

    private enum Meaning {
        case character(UInt32)
        case dead(String)
    }

    private let keys: [UInt8: [Substring]]
    private let host: KeyboardSettings.Host
    private let compositions: [Substring: UInt32]
    private var isDown = false
    private var dead: String?
    private(set) var text = ""

    init(_ layout: KeyboardSettings.Layout, host: KeyboardSettings.Host) {
        let table =
            switch layout {
            case .us: XKBLayouts.us
            case .uk: XKBLayouts.gb
            case .de: XKBLayouts.de
            case .fr: XKBLayouts.fr
            }
        keys = Dictionary(
            uniqueKeysWithValues: table.split(separator: "\n").map { line in
                let words = line.split(separator: " ")
                return (UInt8(words[0], radix: 16) ?? 0, Array(words.dropFirst()))
            })
        compositions = Dictionary(
            uniqueKeysWithValues: XKBLayouts.compositions.split(separator: "\n").map { line in
                let cut = line.lastIndex(of: " ") ?? line.startIndex
                return (line[..<cut], UInt32(line[cut...].dropFirst(), radix: 16) ?? 0)
            })
        self.host = host
        isFrenchOnWindows = layout == .fr && host == .windows
    }

    private let isFrenchOnWindows: Bool

    /// Whether every key is up and no dead key waits.
    var isAtRest: Bool { !isDown && dead == nil }

    mutating func read(_ reports: [UInt8]) throws {
        for start in stride(from: 0, to: reports.count, by: 8) {
            try read(report: Array(reports[start..<min(start + 8, reports.count)]))
        }
    }

    private mutating func read(report: [UInt8]) throws {
        guard report.count == 8, report[1] == 0 else { throw Fault.notAReport(report) }
        let pressed = report[2...].filter { $0 != 0 }
        guard let usage = pressed.first else {
            isDown = false
            return
        }
        guard pressed.count == 1 else { throw Fault.severalKeys(report) }
        guard !isDown else { throw Fault.notReleased(report) }
        isDown = true
        switch try meaning(usage, modifiers: report[0]) {
        case .dead(let accent):
            if let waiting = dead {
                try compose(waiting, with: "dead_" + accent)
            } else {
                dead = accent
            }
        case .character(let code):
            if let accent = dead {
                try compose(accent, with: hex(code))
            } else {
                append(code)
            }
        }
    }

    private func meaning(_ usage: UInt8, modifiers: UInt8) throws -> Meaning {
        let others: [UInt8: UInt32] = [0x28: 0x0D, 0x29: 0x1B, 0x2A: 0x08, 0x2B: 0x09, 0x4C: 0x7F]
        if modifiers == 0, let other = others[usage] { return .character(other) }
        if modifiers == 0x01, usage == 0x30 { return .character(0x1D) }
        let level: Int? = [0: 0, 0x02: 1, 0x40: 2][modifiers]
        guard let level, let symbol = keys[usage]?[level], symbol != "." else { throw Fault.noSuchKey(usage) }
        if symbol.hasPrefix("dead_") { return .dead(String(symbol.dropFirst(5))) }
        let code = UInt32(symbol, radix: 16) ?? 0
        if isFrenchOnWindows, level == 2, let accent = [0x7E: "tilde", 0x60: "grave"][code] { return .dead(accent) }
        return .character(code)
    }

    private mutating func compose(_ accent: String, with second: String) throws {
        dead = nil
        if host == .windows, second == "0020" {
            let alone: [String: UInt32] = [
                "circumflex": 0x5E, "acute": 0xB4, "grave": 0x60, "diaeresis": 0xA8, "tilde": 0x7E,
            ]
            return append(alone[accent] ?? 0)
        }
        guard let code = compositions["dead_\(accent) \(second)"], host == .linux || !second.hasPrefix("dead") else {
            throw Fault.deadKeyWithout("\(accent) \(second)")
        }
        append(code)
    }

    private func hex(_ code: UInt32) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private mutating func append(_ code: UInt32) {
        if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
    }
}
