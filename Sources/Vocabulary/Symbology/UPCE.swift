/// UPC-E: a UPC-A with its zeros left out (GS1 General Specifications, 5.2.2.4.1).
package enum UPCE {
    /// The 12 digits of UPC-A for the 8 of UPC-E (number system 0 or 1, six digits, check digit); `nil` if they don't have
    /// that form. The check digit is taken over, not checked.
    package static func expanded(_ code: [UInt8]) -> [UInt8]? {
        guard code.count == 8, code.allSatisfy(CheckDigit.isDigit), code[0] <= CheckDigit.zero + 1 else { return nil }
        let digits = code[1...6]
        let zeros = { (count: Int) in ArraySlice<UInt8>(repeating: CheckDigit.zero, count: count) }
        let body: ArraySlice<UInt8>
        switch code[6] - CheckDigit.zero {
        case 0...2: body = digits[1...2] + [code[6]] + zeros(4) + digits[3...5]
        case 3: body = digits[1...3] + zeros(5) + digits[4...5]
        case 4: body = digits[1...4] + zeros(5) + digits[5...5]
        default: body = digits[1...5] + zeros(4) + [code[6]]
        }
        return [code[0]] + body + [code[7]]
    }
}
