/// The verdict of a test that tries to make a station lose scans; its number is the exit code.
enum StressVerdict: Int32 {
    /// Nothing was lost.
    case held = 0
    /// Something was lost, invented, late or too often repeated: measured, and bad.
    case lost = 1
    /// The test couldn't do its work: no broker, no preloaded library, a station that didn't start. It says nothing about scans,
    /// and a mutation isn't caught by it.
    case notMeasured = 2

    init(holds: Bool) { self = holds ? .held : .lost }

    /// The verdict of a test with a mutation: it must find the loss, and nothing else will do.
    var ofMutation: StressVerdict {
        switch self {
        case .held: .lost
        case .lost: .held
        case .notMeasured: .notMeasured
        }
    }

    /// Runs a test; what it throws is why it couldn't measure, except for a promise that wasn't kept in time.
    static func of(_ name: String, _ measure: () throws -> Bool) -> StressVerdict {
        do {
            return StressVerdict(holds: try measure())
        } catch let promise as BrokenPromise {
            say("FAILED  \(promise)")
            return .lost
        } catch {
            say("NOT MEASURED  \(name): \(error)")
            return .notMeasured
        }
    }
}

/// Something that the station promises didn't happen within the time limit, though the test had got everything to run.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
