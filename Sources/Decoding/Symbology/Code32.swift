import Vocabulary

/// Code 32, the number of an Italian pharmaceutical product: nine digits, the last of them a check digit, written in base 32 as six
/// characters of a Code 39. Nothing in the code says so.
enum Code32 {
    private static let digits = Array("0123456789BCDFGHJKLMNPQRSTUVWXYZ".utf8)

    /// `A` and the nine digits, as they are printed below the bars; `nil` if it can't be such a number.
    static func decoded(_ characters: [UInt8]) -> [UInt8]? {
        guard characters.count == 6 else { return nil }
        var number = 0
        for character in characters {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            number = number * 32 + digit
        }
        guard number < 1_000_000_000 else { return nil }
        let printed = String(number)
        let nine = [UInt8](repeating: CheckDigit.zero, count: 9 - printed.utf8.count) + printed.utf8
        return isValid(nine) ? [UInt8(ascii: "A")] + nine : nil
    }

    /// The check digit is the sum of the digits, every second one doubled and its own digits summed, modulo 10.
    private static func isValid(_ nine: [UInt8]) -> Bool {
        let values = nine.map { Int($0 - CheckDigit.zero) }
        let sum = values.dropLast().enumerated().map { index, value in
            index.isMultiple(of: 2) ? value : 2 * value / 10 + 2 * value % 10
        }.reduce(0, +)
        return sum % 10 == values[8]
    }
}
