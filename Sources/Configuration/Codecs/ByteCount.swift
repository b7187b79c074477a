/// Numbers of bytes as text: `65536`, `64KiB`, `128MiB`, `1GiB`; `kB`, `MB`, `GB` are powers of ten.
enum ByteCount {
    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
        ("B", 1), ("", 1),
    ]

    static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count).drop { $0 == " " }
        guard let number = Int(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : product
    }

    static func text(_ bytes: Int) -> String {
        for unit in units.prefix(3) where bytes >= unit.bytes && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)"
    }
}
