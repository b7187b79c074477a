import Foundation

/// One contestant on one picture in a separate process, so that a crash costs a picture, not the benchmark.
struct ContestantProcess {
    var readings: [PeerReading] = []
    var milliseconds = 0.0
    var crashes = 0

    /// How many crashes make us give up a picture; ours goes on with the pass after the fatal one.
    static let mostCrashes = 5

    /// Throws when the process can't be started.
    init(_ contestant: Contestant, path: String) throws {
        var firstPass = 0
        repeat {
            let (output, hasCrashed) = try Self.run(["read", contestant.rawValue, path, String(firstPass)])
            var standing: [PeerReading] = []
            for line in output.split(separator: "\n") {
                if line == "standing" {
                    // What stood before may stand no more.
                    standing = []
                } else if let reading = PeerReading(line: line) {
                    standing.append(reading)
                } else if line.hasPrefix("took "), let time = Double(line.dropFirst(5)) {
                    milliseconds += time
                } else if line.hasPrefix("pass "), let pass = Int(line.dropFirst(5)) {
                    firstPass = pass + 1
                } else if line.hasPrefix("error ") {
                    print("\(path): \(line.dropFirst(6))")
                }
            }
            // The process that goes on after a crash may read the same again.
            for reading in standing where !readings.contains(reading) { readings.append(reading) }
            guard hasCrashed else { return }
            crashes += 1
        } while contestant == .ours && crashes < Self.mostCrashes
    }

    /// What became of a turn that was timed.
    enum Timing {
        /// Median processor time in milliseconds, and that of ZXing's defaults, which took turns with it.
        case took(own: Double, defaults: Double)
        /// - Parameter isOurs: not the defaults' crash.
        case crashed(isOurs: Bool)
    }

    /// Times `what` (`quick:TURN`, `thorough:TURN`). Throws when it can't be done.
    static func time(_ what: String, path: String, repetitions: Int) throws -> Timing {
        let (output, hasCrashed) = try run(["time", what, path, String(repetitions)])
        let last = output.split(separator: "\n").last ?? ""
        if hasCrashed { return .crashed(isOurs: last != "defaults") }
        let words = last.split(separator: " ")
        guard words.count == 4, words[0] == "took", let own = Double(words[1]), let defaults = Double(words[3]) else {
            throw BenchmarkFailure("\(what) of \(path) couldn't be timed")
        }
        return .took(own: own, defaults: defaults)
    }

    /// Runs this program with other arguments; throws when it can't be started.
    static func run(_ arguments: [String]) throws -> (output: String, hasCrashed: Bool) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: StressExecutables.own)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw BenchmarkFailure("\(StressExecutables.own) can't be started: \(error.localizedDescription)")
        }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationReason == .uncaughtSignal)
    }
}
