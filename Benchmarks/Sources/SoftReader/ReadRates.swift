import Foundation
import SoftReader
import Vocabulary

/// Read rates of the soft reader, ZXing and ZBar on drawn codes, over the width of a module and over blur.
struct ReadRates {
    struct Row {
        let value: Double
        /// Parts that were read right.
        var soft = 0.0
        var zxing = 0.0
        var zbar = 0.0
        /// Codes that were read wrong.
        var wrong = (soft: 0, zxing: 0, zbar: 0)
        /// The soft reader's time for a code.
        var milliseconds = 0.0
    }

    let family: BarFamily
    var codes = 100
    var noise = 4.0
    /// How far off the ends are that the soft reader is told, as a part of the length.
    var off = 0.05
    var seed: UInt64 = 1

    func measure(_ values: [Double], _ conditions: (Double, inout SplitMix) -> CodePicture.Conditions) -> [Row] {
        values.map { value in
            var row = Row(value: value)
            var random = SplitMix(seed: seed &+ UInt64(value * 1000))
            let reader = SoftReader()
            for _ in 0..<codes {
                let code = family.randomCode(by: &random)
                let picture = CodePicture(code, conditions(value, &random), by: &random)
                let line = picture.located(off: off, by: &random)
                picture.withSamples { samples in
                    // In processor time: nothing depends on how busy the machine is.
                    let (reading, cost) = VirtualCore().run { reader.read(samples, on: line, as: family) }
                    row.milliseconds += cost.milliseconds / Double(codes)
                    if let reading {
                        if code.isSaid(by: String(decoding: reading.bytes, as: UTF8.self)) {
                            row.soft += 1 / Double(codes)
                        } else {
                            row.wrong.soft += 1
                        }
                    }
                    let zxing = PeerDecoders.zxing(
                        samples.pixels, picture.width, picture.height, for: family.peerSymbologies)
                    let zbar = PeerDecoders.zbar(samples.pixels, picture.width, picture.height)
                    if zxing.contains(where: code.isSaid) { row.zxing += 1 / Double(codes) }
                    if zbar.contains(where: code.isSaid) { row.zbar += 1 / Double(codes) }
                    if zxing.contains(where: { !code.isSaid(by: $0) }) { row.wrong.zxing += 1 }
                    if zbar.contains(where: { !code.isSaid(by: $0) }) { row.wrong.zbar += 1 }
                }
            }
            return row
        }
    }

    func overModuleWidth() -> [Row] {
        measure([0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2, 2.5, 3]) {
            CodePicture.conditions(module: $0, blur: 0.35 / max($0, 0.7), noise: noise, by: &$1)
        }
    }

    func overBlur() -> [Row] {
        measure([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]) {
            CodePicture.conditions(module: 3, blur: $0, noise: noise, by: &$1)
        }
    }

    /// The value at which a reader reads nine of ten: the last from the easy end before it reads fewer.
    private static func limit(_ rows: some Sequence<Row>, _ rate: (Row) -> Double) -> Double? {
        rows.prefix { rate($0) >= 0.9 }.last?.value
    }

    /// Whether the soft reader does with 0.75 of the module width that the better peer needs, and with 1.6 times the blur.
    static func reachesGoals(_ widths: [Row], _ blurs: [Row]) -> Bool {
        let easy = Array(widths.reversed())
        func best(_ rows: [Row], _ pick: (Double, Double) -> Double) -> Double? {
            let limits = [limit(rows, \.zxing), limit(rows, \.zbar)].compactMap(\.self)
            return limits.dropFirst().reduce(limits.first) { pick($0 ?? $1, $1) }
        }
        guard let soft = limit(easy, \.soft), let peer = best(easy, min), let softBlur = limit(blurs, \.soft),
            let peerBlur = best(blurs, max)
        else { return false }
        Swift.print(
            String(
                format: "nine of ten: module %.2f (peers %.2f, ratio %.2f), blur %.2f (peers %.2f, ratio %.2f)", soft,
                peer,
                soft / peer, softBlur, peerBlur, softBlur / peerBlur))
        return soft <= 0.75 * peer && softBlur >= 1.6 * peerBlur
    }

    static func print(_ rows: [Row], _ name: String) {
        Swift.print(name + "\tsoft\tzxing\tzbar\twrong\tms")
        for row in rows {
            Swift.print(
                String(
                    format: "%.2f\t%.2f\t%.2f\t%.2f\t%d/%d/%d\t%.2f", row.value, row.soft, row.zxing, row.zbar,
                    row.wrong.soft, row.wrong.zxing, row.wrong.zbar, row.milliseconds))
        }
    }
}
