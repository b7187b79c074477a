/// The version information: 18 bits of a BCH code of distance 8 (ISO/IEC 18004:2015, annex D), in symbols from version 7 on.
enum VersionWord {
    /// As they are drawn, 1 for dark.
    static func bits(_ version: Int) -> Int { BinaryCode.word(version, generator: 0b1_1111_0010_0101, parity: 12) }
}
