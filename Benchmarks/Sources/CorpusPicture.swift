import Foundation

/// One line of the corpus' `truth.jsonl`.
struct CorpusPicture: Decodable {
    /// Relative to the corpus.
    let path: String
    let set: String
    let group: String
    /// What the code says; `nil`: nothing may be read, unless there are `quads`.
    let text: String?
    /// Corners of each QR code in pixels; their texts aren't known. With an empty list, the picture shows codes but nobody marked them, so
    /// it is left out of the counts.
    let quads: [[[Double]]]?

    var isCounted: Bool { quads?.isEmpty != true }

    /// Codes that can be read right.
    var codeCount: Int { quads?.count ?? (text == nil ? 0 : 1) }

    static func load(from folder: String) throws -> [CorpusPicture] {
        let lines = try String(contentsOfFile: folder + "/truth.jsonl", encoding: .utf8).split(separator: "\n")
        let decoder = JSONDecoder()
        return try lines.map { try decoder.decode(CorpusPicture.self, from: Data($0.utf8)) }
    }
}
