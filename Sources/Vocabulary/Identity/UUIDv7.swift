/// A UUID of version 7 (RFC 9562, section 5.7): sorts by the time it was made.
///
/// The 12 bits after the milliseconds are the fraction of the millisecond (section 6.2, method 3), so that ids made within
/// one millisecond keep their order too; the last 62 bits are random.
package struct UUIDv7: Hashable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    /// - Parameters:
    ///   - wallNanoseconds: since 1970, UTC; earlier ones count as 1970.
    ///   - random: 64 random bits, of which 62 are used.
    package init(wallNanoseconds: Int64, random: UInt64) {
        let nanoseconds = UInt64(max(0, wallNanoseconds))
        let milliseconds = nanoseconds / 1_000_000  // an Int64 of nanoseconds never needs more than 44 of the 48 bits
        let fraction = (nanoseconds % 1_000_000) * 4096 / 1_000_000
        high = milliseconds << 16 | 0x7000 | fraction
        low = 0x8000_0000_0000_0000 | random & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Lower case, 8-4-4-4-12.
    package var description: String {
        var text = ""
        text.reserveCapacity(36)
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { text += "-" }
            let word = index < 8 ? high : low
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - index % 8 * 8))
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return text
    }
}
