/// The version information: 18 bits of a BCH code of distance 8 (ISO/IEC 18004:2015, annex D), in symbols from version 7 on.
package enum VersionWord {
    /// As they are drawn, 1 for dark.
    static func bits(_ version: Int) -> Int { BinaryCode.word(version, generator: 0b1_1111_0010_0101, parity: 12) }

    /// What the modules say. Words differ in at least 8 of 18 bits; that of the right version keeps `score` above a half as long as 2 of 9 bits are
    /// seen wrong.
    /// - Parameter values: -1 for dark to 1 for light, of the modules as `layout` has them; the caller may be unsure about its version.
    /// - Returns: The likeliest version, and its correlation with the bits of both copies, -1 to 1. `nil`: `layout` has none, the count
    ///   of values is wrong, or nothing is seen.
    package static func likeliest(_ values: [Float], _ layout: SymbolLayout) -> (version: Int, score: Float)? {
        guard values.count == layout.side * layout.side, !layout.versionModules.isEmpty else { return nil }
        let values = SymbolDecoder.bounded(values)
        let ranked = SymbolLayout.versionsWithInformation.map {
            (version: $0, score: BinaryCode.correlation(bits($0), values, layout.versionModules) / 36)
        }
        return ranked.max { $0.score < $1.score }.flatMap { $0.score > 0 ? $0 : nil }
    }
}
