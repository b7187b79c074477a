/// Check characters that GS1 data and book numbers have, besides the check digit of `CheckDigit`.
enum CheckCharacters {
    /// The check character of ISBN-10 and ISSN (modulo 11; ten is `X`) of the digits before it: weights 2, 3, 4… from the
    /// right.
    static func mod11(of digits: Bytes) -> Character {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() { sum += digit.digitValue * (place + 2) }
        let rest = (11 - sum % 11) % 11
        return rest == 10 ? "X" : Character(String(rest))
    }

    /// Whether the last two characters are the check character pair (General Specifications, 7.9.5) of the others: GMN and
    /// similar keys in GS1's 82-character set.
    static func isCharacterPairRight(_ key: Bytes) -> Bool {
        guard (3...primes.count + 2).contains(key.count) else { return false }
        var sum = 0
        for (place, byte) in key.dropLast(2).reversed().enumerated() {
            guard let value = GS1Characters.set82.firstIndex(of: byte) else { return false }
            sum += value * primes[place]
        }
        sum %= 1021
        return Array(key.suffix(2)) == [pairAlphabet[sum >> 5], pairAlphabet[sum & 31]]
    }

    /// Weights from the right; 1021 is the largest prime below 32².
    private static let primes = [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
    ]
    private static let pairAlphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
}
