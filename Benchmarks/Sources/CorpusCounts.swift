/// Codes read right and texts read wrongly, by group; the tree keeps them.
struct CorpusCounts {
    struct Count: Equatable {
        var right = 0
        var wrong = 0
    }

    var groups: [String: Count] = [:]

    init() {}

    /// Lines of group, right and wrong with tabs between them; `#` begins a comment.
    init(file: String) {
        for line in file.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            guard fields.count == 3, let right = Int(fields[1]), let wrong = Int(fields[2]) else { continue }
            groups[String(fields[0])] = Count(right: right, wrong: wrong)
        }
    }

    /// - Parameter writer: whose counts they are.
    func file(by writer: String) -> String {
        let lines = groups.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.right)\t\($0.value.wrong)" }
        let title = "# group, codes read right, texts read wrongly; written by \(writer)"
        return ([title] + lines).joined(separator: "\n") + "\n"
    }

    var total: Count {
        groups.values.reduce(into: Count()) { total, count in
            total.right += count.right
            total.wrong += count.wrong
        }
    }

    mutating func add(_ verdict: Verdict, to picture: CorpusPicture) {
        groups[picture.set + "/" + picture.group, default: Count()].right += verdict.right.count
        groups[picture.set + "/" + picture.group, default: Count()].wrong += verdict.wrong.count
    }
}
