/// Character sets of application identifiers (General Specifications, 7.11).
enum GS1Characters: Hashable, Sendable {
    /// N.
    case numeric
    /// X: the invariant part of ISO/IEC 646.
    case x82
    /// Y: digits, capitals, `#`, `-` and `/`.
    case y39
    /// Z: file-safe, URI-safe base 64.
    case z64

    /// In the order of their values.
    static let set82 = Array("!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    func contains(_ byte: UInt8) -> Bool {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        return switch self {
        case .numeric: byte.isDigit
        case .x82: GS1Characters.set82.contains(byte)
        case .y39: byte.isDigit || isCapital || "#-/".utf8.contains(byte)
        case .z64: byte.isDigit || byte.isLetter || "-_=".utf8.contains(byte)
        }
    }
}
