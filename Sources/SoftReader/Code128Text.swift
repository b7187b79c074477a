import Vocabulary

/// What the patterns of a Code 128 say (ISO/IEC 15417), if they say something that exists. Codes with function characters 2 and 3 (message
/// append, reader programming), or with 1 in second position, give nothing: all are rare, and only the decoders read them.
struct Code128Text: Hashable {
    /// ISO 8859-1; function character 1 between fields is GS (0x1D).
    let bytes: [UInt8]
    /// Begins with function character 1.
    let isGS1: Bool

    private enum CodeSet { case a, b, c }

    /// Values that are no data in some of the sets, or in all.
    private enum Value {
        static let shift = 98
        static let setC = 99
        /// In set B, it is function character 4.
        static let setB = 100
        /// In set A, it is function character 4.
        static let setA = 101
        static let function1 = 102
    }

    private static let groupSeparator: UInt8 = 0x1D

    /// - Parameter patterns: one for each piece of a layout of Code 128.
    /// - Parameter isChecked: Whether the check character must be right.
    init?(_ patterns: [Int], isChecked: Bool = true) {
        // Without paper before the start, the stop, and its last bar.
        let values = patterns.dropFirst().dropLast(2).map { $0 - BarPattern.code128First }
        guard values.count >= 3, let check = values.last, BarPattern.code128Starts.contains(patterns[1]),
            BarPattern.code128Stop.contains(patterns[patterns.count - 2])
        else { return nil }
        if isChecked {
            let sum = values.dropLast().enumerated().reduce(0) { $0 + max(1, $1.offset) * $1.element }
            guard sum % 103 == check else { return nil }
        }
        var set = values[0] == 103 ? CodeSet.a : values[0] == 104 ? .b : .c
        var bytes: [UInt8] = []
        var isGS1 = false
        var shifted: CodeSet?
        var half = UpperHalf()
        for (index, value) in values.dropFirst().dropLast().enumerated() {
            let current = shifted ?? set
            // Only data may follow a shift.
            guard shifted == nil || value < 96 else { return nil }
            // After function character 4 comes another one, a shift, or what it is for.
            guard !half.isAwaited || value < 96 || value == Value.shift || Self.isFunction4(value, in: current) else {
                return nil
            }
            shifted = nil
            switch (current, value) {
            case (_, Value.function1):
                // At the second place it would say whose application this is; before all data, but not first, it says nothing.
                guard index == 0 || !bytes.isEmpty && !Self.isApplication(bytes, isGS1) else { return nil }
                if index == 0 { isGS1 = true } else { bytes.append(Self.groupSeparator) }
            case (.c, 0..<100): bytes += [CheckDigit.zero + UInt8(value / 10), CheckDigit.zero + UInt8(value % 10)]
            case (.a, Value.setA), (.b, Value.setB): half.noteFunction4()
            case (.c, Value.setB), (.a, Value.setB): set = .b
            case (.c, Value.setA), (.b, Value.setA): set = .a
            case (.a, Value.setC), (.b, Value.setC): set = .c
            case (.a, Value.shift): shifted = .b
            case (.b, Value.shift): shifted = .a
            case (.a, 0..<64), (.b, 0..<96): bytes.append(half.byte(UInt8(value + 32)))
            case (.a, 64..<96): bytes.append(half.byte(UInt8(value - 64)))
            default: return nil
            }
        }
        guard !bytes.isEmpty, shifted == nil, !half.isAwaited else { return nil }
        self.bytes = bytes
        self.isGS1 = isGS1
    }

    private static func isFunction4(_ value: Int, in set: CodeSet) -> Bool {
        switch set {
        case .a: value == Value.setA
        case .b: value == Value.setB
        case .c: false
        }
    }

    /// What function character 4 does (ISO/IEC 15417, 4.3.4.2 d): once, the next character is one of the other half of the bytes; twice, all are, until it
    /// comes twice again.
    private struct UpperHalf {
        private var isLatched = false
        /// It came once, and what it is for hasn't.
        private(set) var isAwaited = false

        mutating func noteFunction4() {
            if isAwaited { isLatched.toggle() }
            isAwaited.toggle()
        }

        mutating func byte(_ ascii: UInt8) -> UInt8 {
            defer { isAwaited = false }
            return isLatched != isAwaited ? ascii + 128 : ascii
        }
    }

    /// Two digits, or one letter, before function character 1 (ISO/IEC 15417, annex B).
    private static func isApplication(_ bytes: [UInt8], _ isGS1: Bool) -> Bool {
        guard !isGS1 else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return bytes.count == 2 && bytes.allSatisfy(digits.contains)
            || bytes.count == 1
                && ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[0])
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0]))
    }
}
