import Vocabulary

extension Codec where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> Codec {
        Codec(
            takes: DurationText.taken(range),
            advice: { text in DurationText.meant(by: text, in: range).map { "write \($0)" } },
            parse: { text in DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            write: DurationText.text)
    }
}
