import ArgumentParser
import Foundation

/// QR codes on crumpled paper, around cans, at an angle and under glare: what ours reads, and what libraries read.
struct QRReaderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr-reader",
        abstract:
            "Our own reader of QR codes on bent, slanted and shining sheets, beside ZXing and ZBar; wrong acceptances.")

    @Option(help: "Drawn codes for each point of a curve.") var codes = 60
    @Option(help: "Codes whose data is random, for wrong acceptances.") var tries = 2000
    @Option(help: "Where the curves are drawn, as SVG.") var svg: String?
    @Option(help: "Begin of the random numbers.") var seed: UInt64 = 1

    func validate() throws {
        guard codes > 0, tries > 0 else { throw ValidationError("--codes and --tries must be greater than 0") }
    }

    func run() throws {
        var isGood = true
        var panels: [ReadRatePicture.Panel] = []
        for trouble in BentCode.Trouble.allCases {
            let rows = BentCodeRates(trouble: trouble, codes: codes, seed: seed).measure()
            ReadRates.print(rows, trouble.rawValue)
            isGood = BentCodeRates.reachesGoal(rows, trouble.rawValue) && isGood
            panels.append(.init(title: "QR code, \(trouble.rawValue)", axis: trouble.unit, rows: rows))
        }
        if let svg { try ReadRatePicture.svg(panels).write(toFile: svg, atomically: true, encoding: .utf8) }
        let accepted = wrongAcceptances()
        print("accepted of \(tries) symbols with random data: \(accepted)")
        throw ExitCode(isGood && accepted == 0 ? 0 : 1)
    }

    private func wrongAcceptances() -> Int {
        var random = SplitMix(seed: seed)
        var accepted = 0
        for number in 0..<tries {
            let trouble = BentCode.Trouble.allCases[number % BentCode.Trouble.allCases.count]
            let value = trouble.values[number / 4 % (trouble.values.count / 2)]
            guard let code = BentCode(trouble, value, isEmpty: true, by: &random) else { continue }
            accepted += code.picture.withSamples { code.readSoftly($0) == (false, false) } ? 0 : 1
        }
        return accepted
    }
}
