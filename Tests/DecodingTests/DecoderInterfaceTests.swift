import CZBar
import CZXing
import Testing
import Vocabulary

@testable import Decoding

@Suite struct DecoderInterfaceTests {
    @Test func zxingRefusesWhatItCannotRead() {
        var options = CZXing_Options()
        var found = CZXing_Symbols()
        var pixel: UInt8 = 0
        var message = [CChar](repeating: 0, count: 80)
        #expect(Int(CZXing_read(nil, 1, 1, 1, &options, &found, &message, 80)) == CZXING_ERROR_ARGUMENT)
        #expect(message[0] != 0)
        #expect(Int(CZXing_read(&pixel, 0, 1, 1, &options, &found, nil, 0)) == CZXING_ERROR_ARGUMENT)
        #expect(Int(CZXing_read(&pixel, 1, 1, 0, &options, &found, nil, 0)) == CZXING_ERROR_ARGUMENT)
        #expect(Int(CZXing_read(&pixel, 1, 1, 1, nil, &found, nil, 0)) == CZXING_ERROR_ARGUMENT)
        #expect(Int(CZXing_read(&pixel, 1, 1, 1, &options, &found, nil, 0)) == CZXING_OK)
        #expect(found.count == 0)
        CZXing_free(&found)
        CZXing_free(nil)
    }

    @Test func zbarRefusesWhatItCannotRead() {
        let scanner = CZBar_create()
        defer { CZBar_destroy(scanner) }
        var options = CZBar_Options()
        var found = CZBar_Symbols()
        var pixel: UInt8 = 0
        #expect(Int(CZBar_read(scanner, nil, 1, 1, &options, &found)) == CZBAR_ERROR_ARGUMENT)
        #expect(Int(CZBar_read(nil, &pixel, 1, 1, &options, &found)) == CZBAR_ERROR_ARGUMENT)
        #expect(Int(CZBar_read(scanner, &pixel, 1, 1, &options, &found)) == CZBAR_OK)
        CZBar_free(nil)
        CZBar_destroy(nil)
    }

    @Test(
        arguments: [
            ("0.37", 37), ("0.6", 6), ("0.60", 60), ("0.06", 6), ("1.0", 100), ("1.00", 100), ("0.0", 0), ("", 0),
            ("much", 0),
            ("2.50", 100), ("-1.0", 0),
        ] as [(String, Int32)])
    func zxingsShareOfCorrectionIsInHundredths(share: String, percent: Int32) {
        #expect(CZXing_percent(share) == percent)
    }

    /// The C constants are written out by hand; they must match `Symbology.code`.
    @Test func theCInterfacesUseOurCodes() {
        let zxing: [(Int, Symbology)] = [
            (CZXING_AZTEC, .aztec), (CZXING_CODABAR, .codabar), (CZXING_CODE39, .code39), (CZXING_CODE93, .code93),
            (CZXING_CODE128, .code128), (CZXING_DATABAR, .dataBar), (CZXING_DATABAR_EXPANDED, .dataBarExpanded),
            (CZXING_DATABAR_LIMITED, .dataBarLimited), (CZXING_DATA_MATRIX, .dataMatrix), (CZXING_EAN8, .ean8),
            (CZXING_EAN13, .ean13), (CZXING_ITF, .itf), (CZXING_MAXICODE, .maxiCode),
            (CZXING_MICRO_QR_CODE, .microQRCode), (CZXING_PDF417, .pdf417), (CZXING_QR_CODE, .qrCode),
            (CZXING_RMQR_CODE, .rmqrCode), (CZXING_UPC_A, .upcA), (CZXING_UPC_E, .upcE),
        ]
        for (code, symbology) in zxing { #expect(code == Int(symbology.code)) }
        let zbar: [(Int, Symbology)] = [
            (CZBAR_CODABAR, .codabar), (CZBAR_CODE39, .code39), (CZBAR_CODE93, .code93), (CZBAR_CODE128, .code128),
            (CZBAR_DATABAR, .dataBar), (CZBAR_DATABAR_EXPANDED, .dataBarExpanded), (CZBAR_EAN8, .ean8),
            (CZBAR_EAN13, .ean13), (CZBAR_ITF, .itf), (CZBAR_QR_CODE, .qrCode), (CZBAR_UPC_A, .upcA),
            (CZBAR_UPC_E, .upcE),
        ]
        for (code, symbology) in zbar { #expect(code == Int(symbology.code)) }
    }

    @Test func theDecodersSayWhatTheyRead() {
        let common: Set<Symbology> = [.ean13, .code128, .qrCode, .itf, .code39]
        #expect(Set(DecoderSymbologies.zxing.symbologies).isSuperset(of: common.union([.aztec, .pdf417, .dataMatrix])))
        #expect(Set(DecoderSymbologies.zbar.symbologies).isSuperset(of: common))
        #expect(!DecoderSymbologies.zbar.contains(.pdf417))
        #expect(String(cString: CZXing_version()).split(separator: ".").count == 3)
        #expect(String(cString: CZBar_version()).split(separator: ".").count == 3)
    }

    @Test func whatNothingIsLeftToCheckIsNoReading() {
        var symbol = CZXing_Symbol()
        var data = [UInt8](repeating: 65, count: 24)
        data.withUnsafeMutableBufferPointer { data in
            symbol.bytes = data.baseAddress
            for (code, count, spare, strength) in [
                (CZXING_PDF417, 24, 0, nil), (CZXING_PDF417, 24, 1, 1), (CZXING_PDF417, 1, 100, 100),
                (CZXING_PDF417, 24, -1, 0), (CZXING_MICRO_QR_CODE, 5, 0, nil), (CZXING_MICRO_QR_CODE, 5, 20, 20),
                (CZXING_AZTEC, 23, 0, nil), (CZXING_AZTEC, 23, -1, 0), (CZXING_AZTEC, 24, 0, 0),
                (CZXING_QR_CODE, 3, 0, 0), (CZXING_DATA_MATRIX, 3, 0, 0),
            ] as [(Int, Int, Int32, Int?)] {
                symbol.symbology = UInt8(code)
                symbol.byte_count = count
                symbol.spare_correction = spare
                #expect(PassReading(symbol, by: .identity)?.strength == strength, "\(code), \(spare)")
            }
        }
    }

    @Test func addOnsAreKeptSeparate() {
        var symbol = CZXing_Symbol()
        symbol.symbology = UInt8(CZXING_EAN13)
        withUnsafeMutableBytes(of: &symbol.add_on) { $0.copyBytes(from: Array("52495".utf8)) }
        var data = Array("9780884271789".utf8)
        let reading = data.withUnsafeMutableBufferPointer { buffer in
            symbol.bytes = buffer.baseAddress
            symbol.byte_count = buffer.count
            return PassReading(symbol, by: .identity)
        }
        #expect(reading?.addOn == "52495")
        #expect(reading.map { String(decoding: $0.bytes, as: UTF8.self) } == "9780884271789")
    }
}
