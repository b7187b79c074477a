import Vocabulary

/// What the pairs of an ITF-14 say (GS1 General Specifications, 5.3.2): fourteen digits, the last of which checks the others.
struct ITF14Number: Hashable {
    /// ASCII.
    let bytes: [UInt8]

    /// `nil` if the check digit is wrong, or start or stop isn't there.
    /// - Parameter patterns: one for each piece of a layout of ITF-14.
    init?(_ patterns: [Int], wide: Int, isChecked: Bool) {
        guard patterns.count == 11, BarPattern.itfStart.contains(patterns[1]),
            BarPattern.itfStop(wide: wide).contains(patterns[9])
        else { return nil }
        let first = BarPattern.itfFirst(wide: wide)
        // Without paper, start and stop.
        bytes = patterns.dropFirst(2).dropLast(2).flatMap { pattern in
            [CheckDigit.zero + UInt8((pattern - first) / 10), CheckDigit.zero + UInt8((pattern - first) % 10)]
        }
        guard !isChecked || CheckDigit.isValidGS1Mod10(bytes) else { return nil }
    }
}
