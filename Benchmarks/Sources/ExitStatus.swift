/// What a benchmark exits with. A goal that is missed (1) outweighs what couldn't be measured (2): the second is known to whoever started it,
/// the first is news.
enum ExitStatus {
    /// - Parameter isGood: all that was measured.
    static func of(isGood: Bool, isMeasured: Bool) -> Int32 { isGood ? (isMeasured ? 0 : 2) : 1 }

    /// Of several benchmarks together.
    static func worst(_ statuses: [Int32]) -> Int32 {
        of(isGood: statuses.allSatisfy { $0 == 0 || $0 == 2 }, isMeasured: !statuses.contains(2))
    }
}
