import CZint
import Vocabulary

/// A matrix code with a random text, drawn by libzint.
struct DrawnMatrixCode {
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

        fileprivate var zint: Int32 {
            switch self {
            case .aztec: Int32(CZINT_AZTEC)
            case .dataMatrix: Int32(CZINT_DATA_MATRIX)
            case .microQRCode: Int32(CZINT_MICRO_QR_CODE)
            case .pdf417: Int32(CZINT_PDF417)
            case .qrCode: Int32(CZINT_QR_CODE)
            case .rmqrCode: Int32(CZINT_RMQR_CODE)
            }
        }

        /// Of texts as labels have them.
        fileprivate var lengths: [Int] {
            switch self {
            case .aztec, .dataMatrix: [6, 10, 16, 24, 36]
            case .microQRCode: [4, 8, 12]
            case .pdf417: [12, 24, 48]
            case .qrCode: [12, 20, 40]
            case .rmqrCode: [8, 16, 32]
            }
        }

        /// How many modules high a row is: three, as ISO/IEC 15438 recommends, and as labels have it.
        fileprivate var rowHeight: Int { self == .pdf417 ? 3 : 1 }

        /// It is turned about the middle by any angle; a stacked code as a hand holds it.
        var mostDegrees: Double { self == .pdf417 ? 20 : 180 }
    }

    init?(_ kind: Kind, by random: inout SplitMix) {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let length = kind.lengths.randomElement(using: &random) ?? 8
        let text = String((0..<length).map { _ in letters.randomElement(using: &random) ?? "-" })
        let bytes = Array(text.utf8)
        var drawn = [UInt8](repeating: 0, count: 200 * 200)
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
