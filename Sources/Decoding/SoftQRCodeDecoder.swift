import Glibc
import SoftReader
import Vocabulary

/// Our own reader of QR codes on one plane: those that are bent, crumpled, seen at a flat angle or partly hidden by glare (`QRCodeReader`). It restores
/// the modules; what they say, ZXing reads from a clean drawing of them.
struct SoftQRCodeDecoder {
    private let reader = QRCodeReader()
    private let zxing = ZXingDecoder()

    /// - Returns: readings with corners in pixels of the picture, without a number.
    func read(_ plane: LumaPlane) -> [PassReading] {
        // Larger pictures take too much memory.
        guard plane.pixelCount <= ReadPass.Treatment.mostPixels else { return [] }
        return reader.read(LumaSamples(plane)).compactMap { found in
            guard var reading = text(of: found.symbol) else { return nil }
            reading.corners = found.corners.mapped { plane.map($0.x, $0.y) }
            reading.decoder = .soft
            reading.strength = found.symbol.margin
            return reading
        }
    }

    /// Not as a pure picture: ZXing 3.1.1 finds no QR code in one by a fixed threshold.
    private static let drawnPass = ReadPass(method: .zxing(.fixedThreshold), target: .matrix, rotates: false)
    /// In pixels.
    private static let drawnModule = 4
    /// Modules of paper around it.
    private static let quietZone = 4

    private func text(of symbol: RestoredSymbol) -> PassReading? {
        let side = symbol.layout.side
        let width = (side + 2 * Self.quietZone) * Self.drawnModule
        let drawing = LumaPlane(width: width, height: width, map: .identity) { out in
            for y in 0..<width {
                for x in 0..<width {
                    let (column, row) = (x / Self.drawnModule - Self.quietZone, y / Self.drawnModule - Self.quietZone)
                    let isInside = (0..<side).contains(column) && (0..<side).contains(row)
                    out[y * width + x] = isInside && symbol.modules[row * side + column] ? 0 : 255
                }
            }
        }
        let found = zxing.read(
            drawing, pass: Self.drawnPass, binarizer: .fixedThreshold, symbologies: DecoderSymbologies([.qrCode]),
            readsAddOns: false)
        // A code whose modules draw a smaller one says two things.
        guard let reading = found.first, found.count == 1,
            reading.corners.sides.allSatisfy({ $0 >= Double((side - 2) * Self.drawnModule) })
        else { return nil }
        return reading
    }
}

extension LumaSamples {
    /// Those of a plane, which must live as long as they are used.
    init(_ plane: LumaPlane) {
        self.init(pixels: plane.pixels, width: plane.width, height: plane.height, rowStride: plane.rowStride)
    }
}

extension RestoredSymbol {
    /// How unlikely it is that error correction has made it up, as a natural logarithm (see `Evidence.strength`).
    fileprivate var margin: Int { Int(min(max(0, -chance * log(2)), 1000)) }
}
