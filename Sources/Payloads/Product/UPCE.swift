/// UPC-E: a UPC-A number with its zeros left out (General Specifications, 5.2.2.4).
enum UPCE {
    /// UPC-A, 12 digits, of 6 digits (number system 0), 7 (number system in front) or 8 (check digit behind). A missing check
    /// digit is computed. `nil` for number systems other than 0 and 1.
    static func expand(_ digits: Bytes) -> Bytes? {
        let zero = UInt8(ascii: "0")
        let system = digits.count == 6 ? zero : digits.first ?? zero
        let core = Array(digits.count == 6 ? digits : digits.dropFirst().prefix(6))
        guard core.count == 6, system == zero || system == UInt8(ascii: "1") else { return nil }
        var number: [UInt8] = [system]
        let zeros = { (count: Int) in [UInt8](repeating: zero, count: count) }
        switch core[5].digitValue {
        case 0...2: number += core[0...1] + [core[5]] + zeros(4) + core[2...4]
        case 3: number += core[0...2] + zeros(5) + core[3...4]
        case 4: number += core[0...3] + zeros(5) + [core[4]]
        default: number += core[0...4] + zeros(4) + [core[5]]
        }
        let check = digits.count == 8 ? digits.last : UInt8(CheckDigit.mod10(of: number[...])) + zero
        return check.map { (number + [$0])[...] }
    }
}
