/// Host names as they appear in addresses.
enum HostName {
    /// At least two labels, the last one with two letters or more (or a `xn--` name); letters beyond ASCII are allowed.
    static func isDomain(_ bytes: Bytes) -> Bool {
        let labels = bytes.parts(separatedBy: UInt8(ascii: "."))
        guard labels.count >= 2, let last = labels.last, last.count >= 2, bytes.count <= 253 else { return false }
        return labels.allSatisfy(isLabel) && !last.allSatisfy(\.isDigit)
    }

    private static func isLabel(_ label: Bytes) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == hyphen || $0 >= 0x80 }
    }
}
