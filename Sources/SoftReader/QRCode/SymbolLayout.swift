/// The modules of a QR code of one version (ISO/IEC 18004:2015, model 2): which are patterns, and what the others are for. Modules are counted
/// row by row, from 0 at the upper left; columns and rows, too.
package struct SymbolLayout: Sendable {
    /// 1 to 40.
    package let version: Int
    /// In modules, without quiet zone: 21 to 177.
    package let side: Int
    /// For each module; `true` is dark. Finders with their separators, timing, alignment patterns, and the module that is always dark.
    /// `nil`: format, version or data.
    package let fixed: [Bool?]
    /// The middle modules of the alignment patterns, row by row.
    package let alignmentCentres: [Place]
    /// The modules of the codewords, bit by bit, the highest first, and of up to seven bits that remain.
    package let dataModules: [Int]
    /// Of each of the two copies, the modules of the 15 bits, the lowest first.
    package let formatModules: [[Int]]
    /// The same for the 18 bits of the version; none below version 7.
    package let versionModules: [[Int]]

    package struct Place: Hashable, Sendable {
        package let column: Int
        package let row: Int

        package init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    package static let versions = 1...40
    /// Those that say which one they are.
    static let versionsWithInformation = 7...40

    /// `nil`: no such version.
    package init?(version: Int) {
        guard Self.versions.contains(version) else { return nil }
        let side = 17 + 4 * version
        let centres = Self.alignmentCentres(version: version, side: side)
        self.version = version
        self.side = side
        alignmentCentres = centres
        fixed = Self.patterns(side: side, alignmentCentres: centres)
        formatModules = Self.formatModules(side: side)
        versionModules = Self.versionsWithInformation.contains(version) ? Self.versionModules(side: side) : []
        var isTaken = fixed.map { $0 != nil }
        for module in (formatModules + versionModules).joined() { isTaken[module] = true }
        dataModules = Self.zigzag(side: side).filter { !isTaken[$0] }
    }

    /// - Parameter side: in modules. `nil`: no version has it.
    package init?(side: Int) {
        guard (21...177).contains(side), side % 4 == 1 else { return nil }
        self.init(version: (side - 17) / 4)
    }

    /// Data and error correction.
    package var codewordCount: Int { dataModules.count / 8 }

    private static func alignmentCentres(version: Int, side: Int) -> [Place] {
        guard version >= 2 else { return [] }
        // Evenly from the last back; what is left over goes to the first gap. This gives the standard's annex E but for version 32.
        let count = version / 7 + 2
        let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        let lines = [6] + (1..<count).map { side - 7 - (count - 1 - $0) * step }
        let (first, last) = (6, side - 7)
        return lines.flatMap { row in
            lines.compactMap { column in
                // There the finders are.
                let isFinder =
                    row == first && (column == first || column == last) || row == last && column == first
                return isFinder ? nil : Place(column: column, row: row)
            }
        }
    }

    private static func patterns(side: Int, alignmentCentres: [Place]) -> [Bool?] {
        var modules = [Bool?](repeating: nil, count: side * side)
        /// Squares within each other; how far from the middle decides.
        func draw(middle: Place, reach: Int, isDark: (Int) -> Bool) {
            for row in max(0, middle.row - reach)...min(side - 1, middle.row + reach) {
                for column in max(0, middle.column - reach)...min(side - 1, middle.column + reach) {
                    let distance = max(abs(row - middle.row), abs(column - middle.column))
                    modules[row * side + column] = isDark(distance)
                }
            }
        }
        for index in 8..<(side - 8) {
            modules[6 * side + index] = index % 2 == 0
            modules[index * side + 6] = index % 2 == 0
        }
        for (column, row) in [(3, 3), (side - 4, 3), (3, side - 4)] {
            draw(middle: Place(column: column, row: row), reach: 4) { $0 != 2 && $0 != 4 }
        }
        for centre in alignmentCentres { draw(middle: centre, reach: 2) { $0 != 1 } }
        modules[(side - 8) * side + 8] = true
        return modules
    }

    private static func formatModules(side: Int) -> [[Int]] {
        let first = (0..<15).map { bit -> Int in
            switch bit {
            case ...5: bit * side + 8
            // Timing is left out.
            case 6: 7 * side + 8
            case 7: 8 * side + 8
            case 8: 8 * side + 7
            default: 8 * side + 14 - bit
            }
        }
        let second = (0..<15).map { $0 < 8 ? 8 * side + side - 1 - $0 : (side - 15 + $0) * side + 8 }
        return [first, second]
    }

    private static func versionModules(side: Int) -> [[Int]] {
        let places = (0..<18).map { Place(column: side - 11 + $0 % 3, row: $0 / 3) }
        return [places.map { $0.row * side + $0.column }, places.map { $0.column * side + $0.row }]
    }

    /// All modules in the order in which data takes them: two columns at a time from the right, up and down by turns. The column of the timing
    /// pattern is no part of a pair.
    private static func zigzag(side: Int) -> [Int] {
        var modules: [Int] = []
        modules.reserveCapacity(side * side)
        let rights = Array(stride(from: side - 1, to: 6, by: -2)) + [5, 3, 1]
        for (index, right) in rights.enumerated() {
            for step in 0..<side {
                let row = index % 2 == 0 ? side - 1 - step : step
                modules.append(row * side + right)
                modules.append(row * side + right - 1)
            }
        }
        return modules
    }
}
