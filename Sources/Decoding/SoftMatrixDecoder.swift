import Glibc
import SoftReader
import Vocabulary

/// Our own reader of matrix codes on one plane: those that are bent, crumpled, seen at a flat angle or partly hidden by glare (`QRCodeReader`,
/// `DataMatrixReader`). It restores the modules; what they say, ZXing reads from a clean drawing of them.
struct SoftMatrixDecoder {
    private let qrCodes = QRCodeReader()
    private let dataMatrices = DataMatrixReader()
    private let zxing = ZXingDecoder()

    /// - Parameter known: Data Matrix that have been read, in pixels of the picture. QR codes are looked for again.
    /// - Returns: readings with corners in pixels of the picture, without a number.
    func read(_ plane: LumaPlane, as family: MatrixFamily, besides known: [Quad] = []) -> [PassReading] {
        // Larger pictures take too much memory.
        guard plane.pixelCount <= ReadPass.Treatment.mostPixels else { return [] }
        let samples = LumaSamples(plane)
        let found =
            switch family {
            case .qrCode: qrCodes.read(samples).map { (DrawnModules($0.symbol), $0.corners, $0.symbol.chance) }
            case .dataMatrix:
                dataMatrices.read(samples) { place in known.contains { $0.contains(plane.map(place.x, place.y)) } }
                    .map { (DrawnModules($0.symbol), $0.corners, $0.symbol.chance) }
            }
        return found.compactMap { modules, corners, chance in
            guard var reading = text(of: modules, as: family) else { return nil }
            reading.corners = corners.mapped { plane.map($0.x, $0.y) }
            reading.decoder = .soft
            reading.strength = Self.strength(chance: chance)
            return reading
        }
    }

    /// How unlikely it is that error correction has made it up, as a natural logarithm (see `Evidence.strength`).
    private static func strength(chance: Double) -> Int { Int(min(max(0, -chance * log(2)), 1000)) }

    /// Not as a pure picture: ZXing 3.1.1 finds no QR code in one by a fixed threshold.
    private static let drawnPass = ReadPass(method: .zxing(.fixedThreshold), target: .matrix, rotates: false)
    /// In pixels.
    private static let drawnModule = 4
    /// Modules of paper around it.
    private static let quietZone = 4

    private func text(of modules: DrawnModules, as family: MatrixFamily) -> PassReading? {
        let width = (modules.columns + 2 * Self.quietZone) * Self.drawnModule
        let height = (modules.rows + 2 * Self.quietZone) * Self.drawnModule
        let drawing = LumaPlane(width: width, height: height, map: .identity) { out in
            for y in 0..<height {
                for x in 0..<width {
                    let (column, row) = (x / Self.drawnModule - Self.quietZone, y / Self.drawnModule - Self.quietZone)
                    out[y * width + x] = modules.isDark(column: column, row: row) ? 0 : 255
                }
            }
        }
        let found = zxing.read(
            drawing, pass: Self.drawnPass, binarizer: .fixedThreshold, symbologies: family.symbologies,
            readsAddOns: false)
        // A code whose modules draw a smaller one says two things.
        guard let reading = found.first, found.count == 1 else { return nil }
        let sides = [modules.columns, modules.columns, modules.rows, modules.rows]
            .map { Double(($0 - 2) * Self.drawnModule) }
        guard zip(reading.corners.sides.sorted(), sides.sorted()).allSatisfy({ $0 >= $1 }) else { return nil }
        return reading
    }
}

/// What the soft reader restored, as it is to be drawn.
private struct DrawnModules {
    let columns: Int
    let rows: Int
    /// Row by row; `true` is dark.
    private let modules: [Bool]

    init(_ symbol: RestoredSymbol) {
        (columns, rows, modules) = (symbol.layout.side, symbol.layout.side, symbol.modules)
    }

    init(_ symbol: RestoredDataMatrix) {
        (columns, rows, modules) = (symbol.layout.columns, symbol.layout.rows, symbol.modules)
    }

    /// Around it, it is light.
    func isDark(column: Int, row: Int) -> Bool {
        (0..<columns).contains(column) && (0..<rows).contains(row) && modules[row * columns + column]
    }
}

extension MatrixFamily {
    var symbologies: DecoderSymbologies {
        switch self {
        case .qrCode: DecoderSymbologies([.qrCode])
        case .dataMatrix: DecoderSymbologies([.dataMatrix])
        }
    }
}

extension LumaSamples {
    /// Those of a plane, which must live as long as they are used.
    init(_ plane: LumaPlane) {
        self.init(pixels: plane.pixels, width: plane.width, height: plane.height, rowStride: plane.rowStride)
    }
}
