import Foundation
import Reading
import TestSupport

/// A station that runs as a user would run it, with its own configuration.
final class StationProcess {
    let socket: String
    private let process = Process()
    private let output = Foundation.Pipe()
    private let folder: String
    private var incoming = IncomingBytes()

    /// Throws when it can't be started, and leaves nothing behind.
    init(folder executables: String, configuration: String) throws {
        folder = NSTemporaryDirectory() + "scanstation-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        socket = folder + "/station.sock"
        let file = folder + "/station.yaml"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        process.executableURL = URL(fileURLWithPath: executables + "/scanstation")
        process.arguments = ["run", "--config", file, "--socket", socket, "--log-level", "error"]
        // Its journal is its own, not the machine's, and is deleted with the folder.
        process.environment = ProcessInfo.processInfo.environment.merging(["STATE_DIRECTORY": folder]) { $1 }
        process.standardOutput = output
        do { try process.run() } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw BenchmarkFailure(
                "\(executables)/scanstation can't be started: \(error.localizedDescription); build it first")
        }
    }

    private var measured: MeasuredProcess { MeasuredProcess(pid: process.processIdentifier) }
    var memory: ProcessMemory { measured.memory }
    /// Those of the camera's frames.
    private var frameReaders: [MeasuredProcess] { measured.children(named: ReaderExecutable.name) }
    /// And the one that decodes the replayed pictures.
    var readers: [MeasuredProcess] { frameReaders + measured.children(named: ReaderExecutable.picturesName) }
    var processorSeconds: Double { ([measured] + readers).map(\.processorSeconds).reduce(0, +) }

    /// Reads standard output until an event fits.
    func waitForEvent(_ fits: ([String: Any]) -> Bool) throws {
        repeat {
            while let line = incoming.line() {
                let event = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
                if let event, fits(event) { return }
            }
        } while incoming.fill(from: output.fileHandleForReading.fileDescriptor) > 0
        throw BenchmarkFailure("the station ended before the event came")
    }

    /// Reads and drops standard output from now on, so that events don't queue up for nobody.
    func drainOutput() { output.fileHandleForReading.readabilityHandler = { _ = $0.availableData } }

    func stop() {
        drainOutput()
        process.terminate()
        process.waitUntilExit()
        output.fileHandleForReading.readabilityHandler = nil
        try? FileManager.default.removeItem(atPath: folder)
    }
}
