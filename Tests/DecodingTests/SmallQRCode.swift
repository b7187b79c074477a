/// A QR code of version 1 (21 by 21 modules, level L, mask 0) by ISO/IEC 18004: enough to fill a frame with different codes.
enum SmallQRCode {
    static let side = 21

    /// Rows of modules as `DecodingPicture.paint` takes them. At most 17 bytes of text.
    static func rows(_ text: String) -> [String] {
        var modules = [[Bool?]](repeating: [Bool?](repeating: nil, count: side), count: side)
        for (top, left) in [(0, 0), (0, 14), (14, 0)] { addFinder(&modules, top, left) }
        for index in 8..<13 {
            modules[6][index] = index % 2 == 0
            modules[index][6] = index % 2 == 0
        }
        modules[13][8] = true
        addFormat(&modules)
        addData(&modules, codewords(Array(text.utf8)))
        return modules.map { row in
            let bits = row.map { $0 == true ? 1 : 0 } + [0, 0, 0]
            return stride(from: 0, to: 24, by: 4).map { start in
                String(bits[start..<start + 4].reduce(0) { $0 * 2 + $1 }, radix: 16, uppercase: true)
            }.joined()
        }
    }

    /// With its white border.
    private static func addFinder(_ modules: inout [[Bool?]], _ top: Int, _ left: Int) {
        for row in -1...7 {
            for column in -1...7 where (0..<side).contains(top + row) && (0..<side).contains(left + column) {
                let ring = max(abs(row - 3), abs(column - 3))
                modules[top + row][left + column] = ring != 2 && ring != 4
            }
        }
    }

    private static func addFormat(_ modules: inout [[Bool?]]) {
        let bits = Array("111011111000100").map { $0 == "1" }
        let first =
            [(8, 0), (8, 1), (8, 2), (8, 3), (8, 4), (8, 5), (8, 7), (8, 8), (7, 8)]
            + (0...5).reversed().map { ($0, 8) }
        let second = (14...20).reversed().map { ($0, 8) } + (13...20).map { (8, $0) }
        for (bit, place) in zip(bits, first) { modules[place.0][place.1] = bit }
        for (bit, place) in zip(bits, second) { modules[place.0][place.1] = bit }
    }

    /// Upwards and downwards in pairs of columns, from the right.
    private static func addData(_ modules: inout [[Bool?]], _ codewords: [UInt8]) {
        var bits: ArraySlice<Bool> = codewords.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }[...]
        var isUpward = true
        for right in [20, 18, 16, 14, 12, 10, 8, 5, 3, 1] {
            for step in 0..<side {
                let row = isUpward ? side - 1 - step : step
                for column in [right, right - 1] where modules[row][column] == nil {
                    let bit = bits.popFirst() ?? false
                    modules[row][column] = bit != ((row + column) % 2 == 0)
                }
            }
            isUpward.toggle()
        }
    }

    /// 19 bytes of data and 7 to correct errors.
    private static func codewords(_ text: [UInt8]) -> [UInt8] {
        var nibbles: [UInt8] = [4, UInt8(text.count) >> 4, UInt8(text.count) & 15]
        nibbles += text.flatMap { [$0 >> 4, $0 & 15] } + [0]
        var data = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        var pad: UInt8 = 0xEC
        while data.count < 19 {
            data.append(pad)
            pad ^= 0xEC ^ 0x11
        }
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<7 {
            let shifted = generator + [0]
            let scaled = [0] + generator.map { product($0, root) }
            generator = zip(shifted, scaled).map { $0 ^ $1 }
            root = product(root, 2)
        }
        var rest = data + [UInt8](repeating: 0, count: 7)
        for index in data.indices {
            let factor = rest[index]
            for (offset, coefficient) in generator.enumerated() { rest[index + offset] ^= product(coefficient, factor) }
        }
        return data + rest.suffix(7)
    }

    /// In the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (a, b, sum) = (UInt16(a), b, UInt16(0))
        while b > 0 {
            if b & 1 == 1 { sum ^= a }
            a <<= 1
            if a > 255 { a ^= 0x11D }
            b >>= 1
        }
        return UInt8(sum)
    }
}
