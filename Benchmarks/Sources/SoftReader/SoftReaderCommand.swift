import ArgumentParser
import Foundation
import SoftReader

/// What the soft reader reads that others don't, and what it accepts that isn't there.
struct SoftReaderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soft-reader",
        abstract: "The soft reader: read rates over module width and blur, wrong acceptances, the corpus' photos.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "Drawn codes for each point of a curve.") var codes = 60
    @Option(help: "Drawn codes of each kind for wrong acceptances.") var tries = 2000
    @Option(help: "Where the curves are drawn, as SVG.") var svg: String?
    @Option(help: "Begin of the random numbers.") var seed: UInt64 = 1
    @Option(help: "Pixels a module that codes for wrong acceptances have at least.") var leastModule = 0.45
    @Option(help: "And at most.") var mostModule = 1.2
    @Option(help: "One of retail, code128, code39, itf14, code93, codabar; all by default.") var family: BarFamily?
    @Flag(help: "Wrong acceptances alone, without curves and photos.") var wrongOnly = false

    func validate() throws {
        guard codes > 0, tries > 0 else { throw ValidationError("--codes and --tries must be greater than 0") }
        guard 0.4 <= leastModule, leastModule <= mostModule, mostModule <= 20 else {
            throw ValidationError("--least-module must be 0.4 or more, and at most --most-module, which may be 20")
        }
    }

    private var families: [BarFamily] { family.map { [$0] } ?? BarFamily.allCases }

    func run() throws {
        let isGood = try wrongOnly || curves()
        var isWrong = false
        for family in families {
            var all = WrongAcceptances.Result()
            for subject in MisreadSubject.allCases where subject.family == family {
                var wrong = WrongAcceptances()
                wrong.codes = tries
                wrong.seed = seed
                wrong.modules = leastModule...mostModule
                let result = wrong.measure(subject)
                print(WrongAcceptances.summary(result, subject.rawValue))
                all.add(result)
            }
            WrongAcceptances.print(all, "\(family), all")
            isWrong = isWrong || all.wrong > 0
        }
        if !wrongOnly { isWrong = try photosAreWrong() || isWrong }
        throw ExitCode(isWrong || !isGood ? 1 : 0)
    }

    /// Whether all families reach their goals.
    private func curves() throws -> Bool {
        var panels: [ReadRatePicture.Panel] = []
        var isGood = true
        for family in families {
            var rates = ReadRates(family: family)
            rates.codes = codes
            rates.seed = seed
            let (widths, blurs) = (rates.overModuleWidth(), rates.overBlur())
            ReadRates.print(widths, family.name + ", module")
            ReadRates.print(blurs, family.name + ", blur")
            panels += [
                .init(title: "\(family.name) read, by size", axis: "pixels a module", rows: widths),
                .init(
                    title: "\(family.name) read, by blur (3 pixels a module)", axis: "blur (sigma), modules",
                    rows: blurs),
            ]
            if !ReadRates.reachesGoals(widths, blurs) {
                isGood = false
                print("\(family.name): goal missed: 0.75 of the peers' module width, 1.6 times their blur")
            }
        }
        if let svg { try ReadRatePicture.svg(panels).write(toFile: svg, atomically: true, encoding: .utf8) }
        return isGood
    }

    private func photosAreWrong() throws -> Bool {
        var photos = SoftReaderPhotos()
        photos.corpus = corpus.corpus
        let (retail, others) = try photos.measure()
        SoftReaderPhotos.print(retail, "retail photos of odd number")
        SoftReaderPhotos.print(others, "other photos of odd number")
        return !retail.wrong.isEmpty || !others.wrong.isEmpty
    }
}

extension BarFamily: ExpressibleByArgument {
    public init?(argument: String) {
        guard let family = BarFamily.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = family
    }
}
