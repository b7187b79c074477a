import CZBar
import CZXing

/// What the libraries read of luma without padding: ZXing with its own defaults but for one kind of codes alone (1.4 aborts on some pictures
/// otherwise), ZBar with its own.
enum PeerDecoders {
    static let retail = [CZXING_EAN8, CZXING_EAN13, CZXING_UPC_A, CZXING_UPC_E]
    static let interleaved = [CZXING_ITF]
    static let code128 = [CZXING_CODE128]
    static let code39 = [CZXING_CODE39]
    static let code93 = [CZXING_CODE93]
    static let codabar = [CZXING_CODABAR]

    static func zxing(
        _ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int, for symbologies: [Int] = retail
    ) -> [String] {
        var options = CZXing_Options()
        options.symbologies = symbologies.reduce(0) { $0 | 1 << UInt32($1) }
        options.binarizer = UInt8(CZXING_LOCAL_AVERAGE)
        options.add_ons = UInt8(CZXING_ADD_ON_IGNORE)
        options.try_harder = 1
        options.try_rotate = 1
        options.try_invert = 1
        options.try_downscale = 1
        options.min_line_count = 2
        options.max_symbols = 1
        var found = CZXing_Symbols()
        let status = CZXing_read(pixels, Int32(width), Int32(height), Int32(width), &options, &found, nil, 0)
        guard Int(status) == CZXING_OK else { return [] }
        defer { CZXing_free(&found) }
        return UnsafeBufferPointer(start: found.items, count: found.count).compactMap { symbol in
            symbol.bytes.map {
                String(decoding: UnsafeBufferPointer(start: $0, count: symbol.byte_count), as: UTF8.self)
            }
        }
    }

    static func zbar(_ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int) -> [String] {
        var found = CZBar_Symbols()
        guard Int(CZBar_read_defaults(pixels, Int32(width), Int32(height), &found)) == CZBAR_OK else { return [] }
        defer { CZBar_free(&found) }
        return UnsafeBufferPointer(start: found.items, count: found.count).compactMap { symbol in
            symbol.bytes.map {
                String(decoding: UnsafeBufferPointer(start: $0, count: symbol.byte_count), as: UTF8.self)
            }
        }
    }
}
