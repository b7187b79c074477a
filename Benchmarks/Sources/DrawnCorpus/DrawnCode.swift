import CZint
import Vocabulary

/// A code with a random text, drawn by libzint.
struct DrawnCode {
    /// As readers say it.
    let text: String
    /// Row by row, `columns` in each; `true` is dark.
    let modules: [Bool]
    let columns: Int
    var rows: Int { modules.count / columns }

    /// What can be drawn. MaxiCode has no square modules.
    enum Kind: String, CaseIterable {
        case aztec
        case dataMatrix = "data_matrix"
        case microQRCode = "micro_qr_code"
        case pdf417
        case qrCode = "qr_code"
        case rmqrCode = "rmqr_code"
        case codabar
        case code39
        case code93
        case code128
        case ean8
        case ean13
        case itf
        case upcA = "upc_a"
        case upcE = "upc_e"
        case dataBar = "databar"
        case dataBarExpanded = "databar_expanded"
        case dataBarLimited = "databar_limited"

        fileprivate var zint: Int32 {
            switch self {
            case .aztec: Int32(CZINT_AZTEC)
            case .dataMatrix: Int32(CZINT_DATA_MATRIX)
            case .microQRCode: Int32(CZINT_MICRO_QR_CODE)
            case .pdf417: Int32(CZINT_PDF417)
            case .qrCode: Int32(CZINT_QR_CODE)
            case .rmqrCode: Int32(CZINT_RMQR_CODE)
            case .codabar: Int32(CZINT_CODABAR)
            case .code39: Int32(CZINT_CODE_39)
            case .code93: Int32(CZINT_CODE_93)
            case .code128: Int32(CZINT_CODE_128)
            case .ean8, .ean13: Int32(CZINT_EAN)
            case .itf: Int32(CZINT_ITF)
            case .upcA: Int32(CZINT_UPC_A)
            case .upcE: Int32(CZINT_UPC_E)
            case .dataBar: Int32(CZINT_DATABAR)
            case .dataBarExpanded: Int32(CZINT_DATABAR_EXPANDED)
            case .dataBarLimited: Int32(CZINT_DATABAR_LIMITED)
            }
        }

        /// How many modules high a row is. PDF417: three, as ISO/IEC 15438 recommends, and as labels have it. Bars: as on labels that save paper
        /// (an EAN-13 of full height has 69).
        fileprivate var rowHeight: Int {
            switch self {
            case .aztec, .dataMatrix, .microQRCode, .qrCode, .rmqrCode: 1
            case .pdf417: 3
            default: 30
            }
        }

        /// Modules of which each is printed or not.
        var hasSquareModules: Bool { rowHeight == 1 }

        /// It is turned about the middle by any angle; a stacked code as a hand holds it.
        var mostDegrees: Double { self == .pdf417 ? 20 : 180 }
    }

    init?(_ kind: Kind, by random: inout SplitMix) {
        let (given, text) = kind.content(by: &random)
        let bytes = Array(given.utf8)
        var drawn = [UInt8](repeating: 0, count: 200 * 600)
        var (columns, rows): (Int32, Int32) = (0, 0)
        guard CZint_encode(kind.zint, bytes, bytes.count, &drawn, drawn.count, &columns, &rows) == 1, columns > 0
        else { return nil }
        self.text = text
        self.columns = Int(columns)
        modules = (0..<Int(rows)).flatMap { row in
            let line = drawn[(row * Int(columns))..<((row + 1) * Int(columns))].map { $0 == 1 }
            return (0..<kind.rowHeight).flatMap { _ in line }
        }
    }
}

extension DrawnCode.Kind {
    /// What libzint is given, and what readers say. Lengths are those of labels.
    fileprivate func content(by random: inout SplitMix) -> (given: String, text: String) {
        switch self {
        case .aztec, .dataMatrix: same(letters(of: [6, 10, 16, 24, 36], by: &random))
        case .microQRCode: same(letters(of: [4, 8, 12], by: &random))
        case .pdf417: same(letters(of: [12, 24, 48], by: &random))
        case .qrCode: same(letters(of: [12, 20, 40], by: &random))
        case .rmqrCode: same(letters(of: [8, 16, 32], by: &random))
        case .codabar: same("A" + digits(of: [8, 11, 14], by: &random) + "B")
        // Not of six: some of those are Code 32.
        case .code39, .code93: same(letters(of: [7, 9, 12], by: &random))
        case .code128: same(letters(of: [8, 12, 18], by: &random))
        // libzint tells them by their length, without the check digit.
        case .ean8: number(digits(of: [7], by: &random))
        case .ean13: number(digits(of: [12], by: &random))
        case .itf: same(checked(digits(of: [13], by: &random)))
        case .upcA: same(checked(digits(of: [11], by: &random)))
        case .upcE: upcE(by: &random)
        case .dataBar: tradeItem(digits(of: [13], by: &random))
        // Those begin with 0 or 1.
        case .dataBarLimited: tradeItem("1" + digits(of: [12], by: &random))
        case .dataBarExpanded: batch(of: checked(digits(of: [13], by: &random)), letters(of: [4, 8], by: &random))
        }
    }

    private func same(_ text: String) -> (String, String) { (text, text) }

    private func upcE(by random: inout SplitMix) -> (String, String) {
        // Of digits below 3, some numbers would have another short form, and libzint refuses those.
        let short = Array(("0" + characters("3456789", of: [5], by: &random) + digits(of: [1], by: &random)).utf8)
        return same(String(decoding: short + (UPCE.completed(short)?.suffix(1) ?? []), as: UTF8.self))
    }

    private func number(_ digits: String) -> (String, String) { (digits, checked(digits)) }

    /// libzint makes the check digit and the application identifier of these.
    private func tradeItem(_ digits: String) -> (String, String) { (digits, "(01)" + checked(digits)) }

    private func batch(of item: String, _ number: String) -> (String, String) {
        ("[01]\(item)[10]\(number)", "(01)\(item)(10)\(number)")
    }

    private func checked(_ digits: String) -> String {
        let ascii = Array(digits.utf8)
        return digits + String(decoding: [CheckDigit.gs1Mod10(ascii) ?? 48], as: UTF8.self)
    }

    private func digits(of lengths: [Int], by random: inout SplitMix) -> String {
        characters("0123456789", of: lengths, by: &random)
    }

    private func letters(of lengths: [Int], by random: inout SplitMix) -> String {
        characters("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", of: lengths, by: &random)
    }

    private func characters(_ alphabet: String, of lengths: [Int], by random: inout SplitMix) -> String {
        let length = lengths.randomElement(using: &random) ?? 8
        return String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "0" })
    }
}
