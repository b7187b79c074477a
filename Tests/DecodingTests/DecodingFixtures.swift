/// Codes as rows of modules, four per hexadecimal digit, 1 is dark; made with zint. Linear codes have one row.
enum DecodingFixtures {
    /// 4006381333931
    static let ean13 = [
        "A353AF7A259AA14285D2166A"
    ]
    /// Station 42
    static let code128 = [
        "D21BA27A4B09E90D23D614D9993B3974CC758"
    ]
    /// `óóóó1234óóab` in ISO 8859-1: function character 4 comes twice before the letters, and twice after them.
    static let code128Accents = [
        "D217BAF75E4BC9792F25DEB39162F75E4BC97BAF74B090DD331D6"
    ]
    /// GS1: `10LOT42`, and function character 1 at the end, where it separates nothing.
    static let code128LastSeparator = [
        "D21EBA734EC8DD1DB7164ECE5EBB1763AC"
    ]
    /// CODE39W, including its check character
    static let code39 = [
        "96D6D2B5A5596D656CAACB59AA96D"
    ]
    /// 00012345678905
    static let itf14 = [
        "AAE38A2EE88E2BA2E2EBBA23A2E28B8EBA"
    ]
    /// TEST93
    static let code93 = [
        "AF69B25ACD342A85769157A"
    ]
    /// A37859+B
    static let codabar = [
        "B25954B5356A5A55B692C"
    ]
    /// A1037-8$1B, wide bars two and a half times as wide as narrow ones. An entry is half a module; not made with zint, which draws others.
    static let wideCodabar = [
        "CF8306667C199983E7C1999833E6660F9983E6667C19999F0660C19F"
    ]
    /// https://example.org/1
    static let qrLink = [
        "FE8DBF8",
        "826AA08",
        "BA102E8",
        "BABEAE8",
        "BAEFAE8",
        "82D8208",
        "FEAABF8",
        "00C2000",
        "8BD37C8",
        "71634D0",
        "2A27760",
        "0D3B530",
        "B6FA778",
        "F9C5890",
        "1B21DE0",
        "2D4B1B0",
        "EEF7FE0",
        "00AA880",
        "FEDEA80",
        "82148E0",
        "BAECFF8",
        "BA06738",
        "BA61E50",
        "824A3F0",
        "FED7638",
    ]
    /// Grüße in UTF-8, without saying so
    static let qrUTF8 = [
        "FE4BF8",
        "823A08",
        "BA12E8",
        "BA2AE8",
        "BAE2E8",
        "827A08",
        "FEABF8",
        "00D800",
        "339E80",
        "C98138",
        "7E8278",
        "3CBBE8",
        "F74A30",
        "00B6C8",
        "FEDBE0",
        "823498",
        "BA6BB8",
        "BAD9F0",
        "BAE7A0",
        "821BA8",
        "FE0480",
    ]
    /// 00 1B FF FE 01 80
    static let qrBinary = [
        "FE5BF8",
        "822A08",
        "BA02E8",
        "BA2AE8",
        "BADAE8",
        "823A08",
        "FEABF8",
        "00B000",
        "33A680",
        "9D9110",
        "1385A8",
        "04F870",
        "A358C0",
        "009E28",
        "FE92F0",
        "822748",
        "BA7438",
        "BAD6F0",
        "BACB80",
        "824548",
        "FE1480",
    ]
    /// GS1: 0104012345678901 10AB12 GS 217
    static let dataMatrixGS1 = [
        "AAAAAA8",
        "D82CF4C",
        "898F1F8",
        "B72A47C",
        "E261E10",
        "AD14F24",
        "F838478",
        "9BE23C4",
        "AE1F3D8",
        "CE25AAC",
        "8889A70",
        "FFFFFFC",
    ]
    /// M1234
    static let microQR = [
        "FEA8",
        "82B8",
        "BA50",
        "BAB0",
        "BAD8",
        "82F8",
        "FED0",
        "00E8",
        "EDE0",
        "7758",
        "8568",
        "13A8",
        "ECD0",
    ]
    /// Aztec text
    static let aztec = [
        "3C32",
        "1232",
        "7088",
        "7FFA",
        "F01C",
        "17DC",
        "D45A",
        "7550",
        "F450",
        "57D0",
        "5012",
        "1FFE",
        "C626",
        "476A",
        "0452",
    ]
    /// PDF417 text
    static let pdf417 = [
        "FF547D5F350C1DD98F5787F452",
        "FF547EA3B4389E8A0F5207F452",
        "FF54757E2CDE1BF64EA3F7F452",
        "FF546BCFB95C1850CAF3C7F452",
        "FF5475C33AE1993EEF5CE7F452",
        "FF547AF43EB9169C0EBE87F452",
        "FF5474EFA9861F3AED3BC7F452",
        "FF547D2C3F64DE124AFDC7F452",
    ]

    /// "PARCEL 417" in mode 4. Every second row of hexagons is half a module to the right; a module is two columns and two rows wide here.
    static let maxiCode: [String] = [
        "D555555C", "80000008", "EAAAAAA0", "55555550", "00000000", "AAAAAAA0", "55555558", "00000008", "AAAAAAA4",
        "55B00950", "00138408", "AA860EA8", "54D89150", "00266400", "A8A8A2A0", "5756A158", "02B52808", "AA56AEA0",
        "5668A154", "02AF6800", "A8F8DAA8", "550F1950", "00AA440C", "AAB04AA8", "55555FDC", "00000398", "AAAAA84C",
        "CC0C2430", "48F3F47C", "AA276DB8", "BD247968", "1EF9EAF0", "9C4D2610",
    ].enumerated().flatMap { index, row in
        let modules = row.flatMap { digit in (0..<4).map { (digit.hexDigitValue ?? 0) & (8 >> $0) != 0 } }.prefix(30)
        let halves = modules.map { $0 ? "11" : "00" }.joined()
        let line = DecodingPicture.row(index % 2 == 0 ? halves + "0" : "0" + halves)
        return [line, line]
    }
}
