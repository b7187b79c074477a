import Foundation
import SoftReader

/// Read rates of our own reader of QR codes, ZXing and ZBar on drawn codes with one trouble, over how much of it there is.
struct BentCodeRates {
    let trouble: BentCode.Trouble
    let codes: Int
    let seed: UInt64

    func measure() -> [ReadRates.Row] {
        trouble.values.map { value in
            var row = ReadRates.Row(value: value)
            var random = SplitMix(seed: seed &+ UInt64(value * 1000))
            for _ in 0..<codes {
                guard let code = BentCode(trouble, value, by: &random) else { continue }
                code.picture.withSamples { samples in
                    let (soft, cost) = VirtualCore().run { code.readSoftly(samples) }
                    row.milliseconds += cost.milliseconds / Double(codes)
                    let (zxing, zbar) = (code.readByZXing(samples), code.readByZBar(samples))
                    row.soft += (soft.isRight ? 1 : 0) / Double(codes)
                    row.zxing += (zxing.isRight ? 1 : 0) / Double(codes)
                    row.zbar += (zbar.isRight ? 1 : 0) / Double(codes)
                    row.wrong.soft += soft.isWrong ? 1 : 0
                    row.wrong.zxing += zxing.isWrong ? 1 : 0
                    row.wrong.zbar += zbar.isWrong ? 1 : 0
                }
            }
            return row
        }
    }

    /// Whether ours reads more over the whole range than the better of the two libraries, and nothing wrong.
    static func reachesGoal(_ rows: [ReadRates.Row], _ name: String) -> Bool {
        func sum(_ rate: (ReadRates.Row) -> Double) -> Double { rows.reduce(0) { $0 + rate($1) } }
        let (soft, peer) = (sum(\.soft), max(sum(\.zxing), sum(\.zbar)))
        let wrong = rows.reduce(0) { $0 + $1.wrong.soft }
        let isGood = wrong == 0 && soft > peer
        print(
            String(
                format: "%@ %@: mean read %.2f (better library %.2f, ratio %.2f), wrong %d",
                isGood ? "held " : "MISSED ",
                name, soft / Double(rows.count), peer / Double(rows.count), soft / max(peer, 1e-9), wrong))
        return isGood
    }
}
