import Vocabulary
import Wire

/// What came of a run over many pictures.
struct PictureSummary {
    private(set) var pictures = 0
    private(set) var codes = 0
    private var withoutCode = 0
    private var withError = 0

    mutating func add(_ line: PictureLine) {
        pictures += 1
        codes += line.codes.count
        if line.error != nil { withError += 1 } else if line.codes.isEmpty { withoutCode += 1 }
    }

    /// - Parameter skipped: files that weren't recognised as pictures.
    func text(skipped: String?) -> String {
        var parts = ["\(codes.counted("code")) in \(pictures.counted("picture"))"]
        if withoutCode > 0 { parts.append("\(withoutCode) without a code") }
        if withError > 0 { parts.append("\(withError) with an error") }
        if let skipped { parts.append("skipped \(skipped)") }
        return parts.joined(separator: ", ")
    }
}
