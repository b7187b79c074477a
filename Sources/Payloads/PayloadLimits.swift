/// How much of a code is interpreted. The largest codes contain about 7,000 digits or 4,300 letters (QR 40-L), a series of them more.
package enum PayloadLimits {
    /// A longer text is `text`.
    package static let maxTextBytes = 16_384
    /// The most fields, parts or elements of one payload; more are left out, and `problems` says so if the format has `problems`.
    package static let maxFields = 256
    /// Sentences in `problems`.
    package static let maxProblems = 16
}

/// Sentences for `problems`, bounded.
struct Problems {
    private(set) var list: [String] = []

    mutating func add(_ sentence: String) {
        if list.count < PayloadLimits.maxProblems { list.append(sentence) }
    }
}
