import Decoding
import Foundation
import ReaderProtocol
import Vocabulary

/// Reads drawn Interleaved 2 of 5, whole and cut, as a still picture, beside the libraries with their defaults. A part of such a code is a shorter
/// number that no check digit contradicts: the wrong reads of a cut code are what counts.
struct InterleavedBenchmark {
    /// What is drawn.
    enum Subject: String, CaseIterable {
        case whole
        /// With four modules of paper beside it, and something dark behind; the standard asks for ten narrow ones.
        case tight
        /// Cut by the picture's edge.
        case edge
        /// Something dark lies over its end.
        case dark
        /// Something as light as paper does.
        case paper
        /// Its end is washed away by light.
        case glare

        var isCut: Bool { self != .whole && self != .tight }
    }

    struct Tally {
        var right = 0
        var wrong = 0
        /// Wrong, where nobody can tell (`InterleavedCode.falseEnds`).
        var untold = 0
    }

    var codes = 100
    var seed: UInt64 = 1
    /// Whether to print what ours read wrongly where it can be told.
    var isVerbose = false
    /// Where the pictures of these are written, as PGM.
    var pictureFolder: String?
    /// The part of the better library's wrong reads of cut codes that ours may have, where a cut can be told.
    static let wrongGoal = 0.3

    private static let readers: [(name: String, read: @Sendable (UnsafePointer<UInt8>, FrameSize) -> [String])] = [
        (
            "ours",
            { pixels, size in
                let view = LumaView(base: UnsafeRawPointer(pixels), size: size, rowStride: size.width)
                return DecodeEngine(rules: Contestant.rules).read(view, effort: .exhaustive).compactMap(\.text)
            }
        ),
        ("zxing", { PeerDecoders.zxing($0, $1.width, $1.height, for: PeerDecoders.interleaved) }),
        ("zbar", { PeerDecoders.zbar($0, $1.width, $1.height) }),
    ]

    /// - Returns: 1 if ours reads more of the cut codes wrongly than the goal, any whole one, or fewer whole ones than a library; else 0.
    func run() -> Int32 {
        var tallies: [Subject: [Tally]] = [:]
        for subject in Subject.allCases {
            // The same codes for each of them, so that they can be compared.
            var random = SplitMix(seed: seed)
            tallies[subject] = Self.readers.map { _ in Tally() }
            for _ in 0..<codes {
                let code = InterleavedCode.random(by: &random)
                let (pixels, size, cut) = picture(code, subject, by: &random)
                // Half a module may be seen or not.
                let isUntold = subject == .paper && (Int(cut)...Int(cut) + 1).contains(where: code.falseEnds.contains)
                pixels.withUnsafeBufferPointer { buffer in
                    guard let base = buffer.baseAddress else { return }
                    for (index, reader) in Self.readers.enumerated() {
                        let texts = Set(reader.read(base, size))
                        tallies[subject]?[index].right += texts.contains(code.text) ? 1 : 0
                        let isWrong = !texts.subtracting([code.text]).isEmpty
                        if isVerbose, isWrong, index == 0, !isUntold {
                            let said = texts.sorted().joined(separator: ", ")
                            print(
                                String(
                                    format:
                                        "  \(subject.rawValue): \(code.text) (wide elements of %d), cut after %.1f of %d modules: \(said)",
                                    code.wide, cut, code.modules.count))
                            if let folder = pictureFolder {
                                let head = Array("P5 \(size.width) \(size.height) 255\n".utf8)
                                try? Data(head + pixels).write(
                                    to: URL(fileURLWithPath: "\(folder)/\(subject.rawValue)-\(code.text).pgm"))
                            }
                        }
                        tallies[subject]?[index].wrong += isWrong ? 1 : 0
                        tallies[subject]?[index].untold += isWrong && isUntold ? 1 : 0
                    }
                }
            }
            let line = zip(Self.readers, tallies[subject] ?? []).map {
                "\($0.name) \($1.right) right, \($1.wrong) wrong"
                    + ($1.untold > 0 ? " (\($1.untold) of them can't be told)" : "")
            }
            print("\(subject.rawValue)\tof \(codes): \(line.joined(separator: "; "))")
        }
        func sum(_ reader: Int, _ isCut: Bool) -> Tally {
            tallies.filter { $0.key.isCut == isCut }.values.map { $0[reader] }.reduce(into: Tally()) {
                $0.right += $1.right
                $0.wrong += $1.wrong
                $0.untold += $1.untold
            }
        }
        let cut = Double(codes * Subject.allCases.count { $0.isCut })
        let (whole, wholePeers) = (sum(0, false), (1...2).map { sum($0, false) })
        let told = (0...2).map { Double(sum($0, true).wrong - sum($0, true).untold) / cut }
        let isGood =
            told[0] <= Self.wrongGoal * min(told[1], told[2]) && whole.wrong == 0
            && wholePeers.allSatisfy { $0.right <= whole.right }
        print(
            String(
                format:
                    "%@  cut ones read wrongly where it can be told: ours %.3f, ZXing %.3f, ZBar %.3f; goal: %.1f of the better",
                isGood ? "held" : "MISSED", told[0], told[1], told[2], Self.wrongGoal))
        print(
            "whole ones: ours \(whole.right) right, \(whole.wrong) wrong (goal 0); ZXing \(wholePeers[0].right) and \(wholePeers[0].wrong); "
                + "ZBar \(wholePeers[1].right) and \(wholePeers[1].wrong)")
        return isGood ? 0 : 1
    }

    /// - Returns: `cut`: after how many modules.
    private func picture(
        _ code: InterleavedCode, _ subject: Subject, by random: inout SplitMix
    ) -> (pixels: [UInt8], size: FrameSize, cut: Double) {
        var conditions = CodePicture.conditions(
            module: .random(in: 1.5...3, using: &random), blur: .random(in: 0.2...0.5, using: &random), by: &random)
        conditions.quiet = subject == .tight ? 0 : 11
        // Where it is cut: at least two digits are left, and at least one is gone.
        let part = Double.random(in: 0.35...0.92, using: &random)
        let modules = part * Double(code.modules.count)
        if subject == .paper { conditions.printed = 0...part }
        let drawn = CodePicture(modules: code.modules, conditions, by: &random)
        // What is around it: a code may not fill the picture, nor stand at its edge when it isn't cut by that.
        let border = 40
        let size = FrameSize(width: drawn.width + 2 * border, height: drawn.height + 2 * border)
        var pixels = [UInt8](
            repeating: subject == .tight ? 70 : UInt8(conditions.paper), count: size.width * size.height)
        for y in 0..<drawn.height {
            for x in 0..<drawn.width {
                pixels[(y + border) * size.width + x + border] = drawn.pixels[y * drawn.width + x]
            }
        }
        let (left, right) = (drawn.line.left.x + Double(border), drawn.line.right.x + Double(border))
        let cut = Int(left + part * (right - left))
        switch subject {
        case .whole, .tight, .paper: return (pixels, size, modules)
        case .edge:
            let narrow = FrameSize(width: cut, height: size.height)
            let rows = (0..<size.height).flatMap { pixels[($0 * size.width)..<($0 * size.width + cut)] }
            return (rows, narrow, modules)
        case .dark:
            for y in 0..<size.height {
                for x in cut..<size.width { pixels[y * size.width + x] = 60 }
            }
        case .glare:
            let reach = 8 * conditions.module
            for y in 0..<size.height {
                for x in cut..<size.width {
                    let light = min(255, 255 * Double(x - cut) / reach)
                    let index = y * size.width + x
                    pixels[index] = UInt8(min(255, Double(pixels[index]) + light))
                }
            }
        }
        return (pixels, size, modules)
    }
}
