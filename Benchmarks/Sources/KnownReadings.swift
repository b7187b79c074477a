import CZXing
import Foundation

/// What was read of pictures, by their paths, kept in a file between runs, because reading takes half a second or more a picture. One from
/// before a change of the engine tells what it read then; one that another version of ZXing-C++ read is refused, as it is another contest.
struct KnownReadings<Reading: Codable> {
    private struct Contents: Codable {
        /// The version of ZXing-C++ that read them.
        var zxing: String
        var readings: [String: Reading]
    }

    private let path: String?
    private var readings: [String: Reading] = [:]
    private var isChanged = false

    /// - Parameters:
    ///   - path: of the file, absent at first; `nil`: nothing is kept.
    ///   - isWhole: whether a reading can be used.
    init(path: String?, isWhole: (Reading) -> Bool) throws {
        self.path = path
        guard let path, FileManager.default.fileExists(atPath: path) else { return }
        let contents: Contents
        do {
            contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw BenchmarkFailure(
                "what is known can't be read from \(path): \(error). It is damaged, or of an earlier version of this "
                    + "program: delete it, or name another file with --known")
        }
        guard contents.zxing == Self.zxing else {
            throw BenchmarkFailure(
                "\(path) says what ZXing-C++ \(contents.zxing) read, and this is \(Self.zxing): delete it, or name "
                    + "another file with --known")
        }
        guard contents.readings.values.allSatisfy(isWhole) else {
            throw BenchmarkFailure(
                "\(path) is damaged: it has codes without a symbology or four corners. Delete it, or name another file with --known"
            )
        }
        readings = contents.readings
    }

    private static var zxing: String { String(cString: CZXing_version()) }

    /// What is known of a picture, or else is read now.
    mutating func reading(of picture: String, read: () -> Reading) -> Reading {
        if let known = readings[picture] { return known }
        let new = read()
        readings[picture] = new
        isChanged = true
        return new
    }

    /// Writes the file if there is something new.
    func store() throws {
        guard let path, isChanged else { return }
        do {
            try JSONEncoder().encode(Contents(zxing: Self.zxing, readings: readings))
                .write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw BenchmarkFailure("what is known can't be written to \(path): \(error.localizedDescription)")
        }
    }
}
