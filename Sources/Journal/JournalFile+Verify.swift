import GRDB

/// The thorough check, for the command line.
extension JournalFile {
    package struct Verification: Hashable, Sendable {
        package var scans: UInt64 = 0
        /// What is wrong, at most `maxProblems` of them.
        package var problems: [String] = []
        /// Including those that aren't listed.
        package var problemCount: UInt64 = 0

        package var isSound: Bool { problemCount == 0 }

        package static let maxProblems = 100

        mutating func add(_ problem: String) {
            problemCount += 1
            if problems.count < Verification.maxProblems { problems.append(problem) }
        }
    }

    /// Checks the file's structure (SQLite's integrity check), that each line can be read and belongs to its row, and that sequences have
    /// no gaps. Takes as long as reading everything; works while a station runs. `progress` gets the number of scans done, and of all
    /// scans.
    package func verify(
        progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(JournalError) -> Verification {
        var result = Verification()
        let structure = try reading { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Verification.maxProblems))")
        }
        for line in structure where line != "ok" { result.add(line) }
        var expected: UInt64?
        try failing {
            try export(progress: progress) { record in
                // While a station runs, it may drop the oldest scans meanwhile: that isn't a gap.
                if let expected, record.sequence != expected, try report().first < record.sequence {
                    result.add("scans \(expected) to \(record.sequence - 1) are missing")
                }
                expected = record.sequence + 1
                result.scans += 1
                if let problem = record.problem { result.add(problem) }
            }
        }
        return result
    }
}
