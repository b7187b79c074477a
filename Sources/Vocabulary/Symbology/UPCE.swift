/// UPC-E: a UPC-A with its zeros left out (GS1 General Specifications, 5.2.2.4.1).
package enum UPCE {
    /// The 12 digits of UPC-A for the 8 of UPC-E (number system 0 or 1, six digits, check digit); `nil` if they don't have that form. The
    /// check digit is copied, not checked.
    package static func expanded(_ code: some Collection<UInt8>) -> [UInt8]? {
        guard code.count == 8, let check = code.suffix(1).first, CheckDigit.isDigit(check) else { return nil }
        return number(Array(code.dropLast())).map { $0 + [check] }
    }

    /// The same for 6 digits (number system 0) or 7 (number system in front), as people write them down: the check digit is
    /// computed.
    package static func completed(_ code: some Collection<UInt8>) -> [UInt8]? {
        guard let number = number((code.count == 6 ? [CheckDigit.zero] : []) + code) else { return nil }
        return CheckDigit.gs1Mod10(number).map { number + [$0] }
    }

    /// 11 digits of number system and six digits.
    private static func number(_ code: [UInt8]) -> [UInt8]? {
        guard code.count == 7, code.allSatisfy(CheckDigit.isDigit), code[0] <= CheckDigit.zero + 1 else { return nil }
        let digits = code[1...6]
        let zeros = { (count: Int) in ArraySlice<UInt8>(repeating: CheckDigit.zero, count: count) }
        let body: ArraySlice<UInt8>
        switch code[6] - CheckDigit.zero {
        case 0...2: body = digits[1...2] + [code[6]] + zeros(4) + digits[3...5]
        case 3: body = digits[1...3] + zeros(5) + digits[4...5]
        case 4: body = digits[1...4] + zeros(5) + digits[5...5]
        default: body = digits[1...5] + zeros(4) + [code[6]]
        }
        return [code[0]] + body
    }
}
