/// Keeps what a code says from passing for what the template writes: a QR code with `OK-1`, a line end and `OPEN DOOR` must not
/// become two records.
///
/// Control characters in a field are written by name, as `<LF>`, and so are Unicode's other line ends. Separators of data fields go
/// through: TAB and FS, GS, RS, US, which GS1 and ISO 15434 need, and the EOT at the end of an ISO 15434 message. But if the template
/// writes that character itself, it is the template's separator and doesn't go through.
struct RecordGuard: Hashable, Sendable {
    /// What goes through.
    private let permitted: Set<UInt8>
    /// Whether the end of an ISO 15434 message goes through.
    private let permitsMessageEnd: Bool

    private static let separators: Set<UInt8> = [0x09, 0x1C, 0x1D, 0x1E, 0x1F]
    private static let endOfTransmission: UInt8 = 0x04
    /// `[)>` and RS: ISO/IEC 15434, 6.2.
    private static let messageHeader: [UInt8] = [0x5B, 0x29, 0x3E, 0x1E]

    /// - Parameter literals: what the template writes by itself.
    init(literals: [[UInt8]]) {
        permitted = Self.separators.subtracting(literals.joined())
        permitsMessageEnd =
            permitted.isSuperset(of: Self.separators) && !literals.joined().contains(Self.endOfTransmission)
    }

    /// `mayHoldLines`: the value was quoted for a format where a line end can't pass for the end of a record.
    func protect(_ bytes: [UInt8], mayHoldLines: Bool) -> [UInt8] {
        guard bytes.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return bytes }
        var bytes = bytes[...]
        var end: [UInt8] = []
        if permitsMessageEnd, bytes.starts(with: Self.messageHeader), bytes.last == Self.endOfTransmission {
            end = [bytes.removeLast()]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return bytes.flatMap { $0 < 0x80 ? name(of: Unicode.Scalar($0), mayHoldLines) ?? [$0] : [$0] } + end
        }
        return text.unicodeScalars.flatMap { name(of: $0, mayHoldLines) ?? Array(String($0).utf8) } + end
    }

    /// What replaces a character that doesn't go through. In bytes that aren't UTF-8, those from 0x80 on aren't characters.
    private func name(of scalar: Unicode.Scalar, _ mayHoldLines: Bool) -> [UInt8]? {
        if mayHoldLines, [0x09, 0x0A, 0x0D].contains(scalar.value) { return nil }
        switch scalar.value {
        case 0x00..<0x20, 0x7F:
            let byte = UInt8(scalar.value)
            guard !permitted.contains(byte), let name = ControlCharacter.name(of: byte) else { return nil }
            return Array("<\(name)>".utf8)
        // C1, among them a line end; the line and paragraph separators.
        case 0x80...0x9F, 0x2028, 0x2029:
            return Array("<U+\(String(scalar.value + 0x10000, radix: 16, uppercase: true).dropFirst())>".utf8)
        default: return nil
        }
    }
}
