/// Numbers of eight bits that are added by XOR and multiplied modulo a polynomial of degree 8.
struct GaloisField: Sendable {
    /// α to the power of 0 to 509: two logarithms may be added.
    private let powers: [UInt8]
    /// By number; that of 0 is never used.
    private let logarithms: [Int]

    /// x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004:2015, 7.5.2).
    static let qrCode = GaloisField(polynomial: 0x11D)
    /// x⁸ + x⁵ + x³ + x² + 1 (ISO/IEC 16022:2006, 5.7.1).
    static let dataMatrix = GaloisField(polynomial: 0x12D)

    private init(polynomial: Int) {
        var powers: [UInt8] = []
        var logarithms = [Int](repeating: 0, count: 256)
        var value = 1
        for exponent in 0..<255 {
            powers.append(UInt8(value))
            logarithms[value] = exponent
            value <<= 1
            if value > 255 { value ^= polynomial }
        }
        self.powers = powers + powers
        self.logarithms = logarithms
    }

    @inline(__always)
    func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        left == 0 || right == 0 ? 0 : powers[logarithms[Int(left)] + logarithms[Int(right)]]
    }

    /// - Parameter divisor: not 0; by 0, the quotient is wrong.
    func quotient(_ dividend: UInt8, _ divisor: UInt8) -> UInt8 {
        dividend == 0 ? 0 : powers[logarithms[Int(dividend)] + 255 - logarithms[Int(divisor)]]
    }

    /// - Parameter exponent: of α, 0 to 509.
    func power(_ exponent: Int) -> UInt8 { powers[exponent] }

    /// `polynomial` at `place`; the coefficient of the lowest power comes first.
    @inline(__always)
    func value(_ polynomial: [UInt8], at place: UInt8) -> UInt8 {
        guard place != 0 else { return polynomial.first ?? 0 }
        let logarithm = logarithms[Int(place)]
        var result: UInt8 = 0
        for coefficient in polynomial.reversed() {
            if result != 0 { result = powers[logarithms[Int(result)] + logarithm] }
            result ^= coefficient
        }
        return result
    }
}
