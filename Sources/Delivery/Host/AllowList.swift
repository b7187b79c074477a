import Glibc
import Linux

/// Texts that count as accepted when no host answers in time, from a file with one text per line.
///
/// Empty lines and lines that begin with `#` are left out. A line counts as it is, spaces included, up to its line feed
/// (or CR LF); `\xHH` stands for a byte (`\x1D` for GS, `\x23` for a `#` at the beginning) and `\\` for a backslash. The file
/// is UTF-8, with or without byte order mark. A text is on the list if its bytes are.
package struct AllowList: Sendable {
    /// The most bytes of a file: about 700,000 product numbers.
    package static let maxBytes = 10 << 20

    /// Texts on the list, each counted once.
    package var count: Int { texts.count }

    private let texts: Set<Text>

    /// Compared by bytes: to `String`, an é equals an e with an accent after it, but they are different codes.
    private struct Text: Hashable, Sendable {
        let value: String

        static func == (a: Text, b: Text) -> Bool { a.value.utf8.elementsEqual(b.value.utf8) }

        func hash(into hasher: inout Hasher) {
            var value = value
            value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Reads the file; throws an error that says what is in the way, with the line if it is about one.
    package init(path: String) throws(DeliveryError) {
        try self.init(parsing: Self.read(path), file: path)
    }

    /// `file`: its name in messages.
    init(parsing bytes: [UInt8], file: String) throws(DeliveryError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var texts: Set<Text> = []
        let lines = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let place = "\(file):\(index + 1)"
            let text = try Self.unescape(line, place)
            guard let value = String(validating: text, as: UTF8.self) else {
                throw DeliveryError(
                    .badSetting, "\(place): this line is not UTF-8 text: save the file as UTF-8, one text per line")
            }
            texts.insert(Text(value: value))
        }
        self.texts = texts
    }

    package func contains(_ text: String) -> Bool { texts.contains(Text(value: text)) }

    private static func unescape(_ line: ArraySlice<UInt8>, _ place: String) throws(DeliveryError) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        guard line.contains(backslash) else { return Array(line) }
        var text: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                text.append(byte)
                continue
            }
            if rest.first == backslash {
                text.append(backslash)
                rest = rest.dropFirst()
            } else if rest.first == UInt8(ascii: "x"), let value = hexByte(rest.dropFirst().prefix(2)) {
                text.append(value)
                rest = rest.dropFirst(3)
            } else {
                throw DeliveryError(
                    .badSetting,
                    "\(place): a backslash must be followed by x and two hexadecimal digits, or by a second backslash")
            }
        }
        return text
    }

    private static func hexByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        // UInt8(_:radix:) would take a sign.
        guard digits.count == 2, digits.allSatisfy({ UInt8(ascii: "0") <= $0 }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func read(_ path: String) throws(DeliveryError) -> [UInt8] {
        switch Files.read(path, limit: maxBytes, isPlain: true) {
        case .bytes(let bytes): return bytes
        case .tooLong:
            throw DeliveryError(
                .badSetting, "the allow-list \(path) is larger than the limit of \(maxBytes) bytes: split it")
        case .notAFile:
            throw DeliveryError(.badSetting, "the allow-list \(path) is not a file: name a file with one text per line")
        case .missing(let error), .failed(let error): throw unreadable(path, error)
        }
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> DeliveryError {
        let code: DeliveryError.Code = error.code == EACCES ? .noPermission : .badSetting
        return DeliveryError(
            code,
            "cannot read the allow-list \(path): \(error.text); no scan is accepted from it until that is fixed")
    }
}
