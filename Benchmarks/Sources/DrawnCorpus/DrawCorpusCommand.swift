import ArgumentParser
import Foundation

/// Writes a corpus of drawn codes, which `corpus`, `live-corpus` and `deploy/package/corpus` read like the one of photos.
struct DrawCorpusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw-corpus",
        abstract:
            "Draws codes that are small, blurred, slanted, around cans, on waves and made of dots: a corpus in a folder."
    )

    @Argument(help: "The folder. It must not exist.") var folder: String
    @Option(help: "Codes of each kind for each amount of each trouble.") var codes = 4
    @Option(help: "Seed of the random numbers.") var seed: UInt64 = 1
    @Option(
        help: "Kinds: \(DrawnCode.Kind.allCases.map(\.rawValue).joined(separator: ", ")); all, if none is named.")
    var kind: [DrawnCode.Kind] = []
    @Option(help: "Troubles: \(SheetTrouble.allCases.map(\.rawValue).joined(separator: ", ")); all, if none is named.")
    var trouble: [SheetTrouble] = []

    func validate() throws {
        guard codes > 0 else { throw ValidationError("--codes must be greater than 0") }
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw ValidationError("\(folder) is there already: delete it, or name another folder")
        }
    }

    func run() throws {
        var lines = Data()
        for kind in kind.isEmpty ? DrawnCode.Kind.allCases : kind {
            for trouble in trouble.isEmpty ? SheetTrouble.allCases : trouble where trouble.isOf(kind) {
                for value in trouble.values {
                    let group = "\(kind.rawValue)-\(trouble.rawValue)-\(String(format: "%g", value))"
                    // The same codes, whichever other groups are drawn.
                    var random = SplitMix(seed: seed, stream: group)
                    try FileManager.default.createDirectory(
                        atPath: "\(folder)/zxing/\(group)", withIntermediateDirectories: true)
                    for number in 1...codes {
                        guard let code = DrawnCode(kind, by: &random) else {
                            throw BenchmarkFailure("libzint doesn't draw a \(kind.rawValue)")
                        }
                        let degrees = Double.random(in: -kind.mostDegrees...kind.mostDegrees, using: &random)
                        let picture = trouble.picture(of: code, value, turnedBy: degrees, by: &random)
                        let path = "zxing/\(group)/\(number).pgm"
                        let head = Array("P5\n\(picture.width) \(picture.height)\n255\n".utf8)
                        try Data(head + picture.pixels).write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
                        // As the corpus of photos has it: scripts look for the path at the line's beginning. Texts are letters and digits.
                        lines += Data(
                            """
                            {"path": "\(path)", "set": "zxing", "group": "\(group)", "text": "\(code.text)"}

                            """.utf8)
                    }
                }
            }
        }
        try lines.write(to: URL(fileURLWithPath: "\(folder)/truth.jsonl"))
    }
}

extension DrawnCode.Kind: ExpressibleByArgument {}
extension SheetTrouble: ExpressibleByArgument {}
