import Foundation

/// A folder that stands in for `/` in a test; removed with it.
final class FakeRoot {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "scanstation-root-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func write(_ file: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path + file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
