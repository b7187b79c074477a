import Glibc

/// A folder that is gone when the test is.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/scanstation-capture-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failed() }
        path = String(cString: made)
    }

    deinit { remove(path) }

    struct Failed: Error {}

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = "\(path)/\(name)"
        guard let handle = fopen(file, "wb") else { throw Failed() }
        defer { fclose(handle) }
        guard fwrite(bytes, 1, bytes.count, handle) == bytes.count else { throw Failed() }
        return file
    }

    /// A grey picture of one level.
    @discardableResult
    func writePGM(_ name: String, width: Int, height: Int, grey: UInt8) throws -> String {
        try writePGM(name, width: width, height: height, pixels: [UInt8](repeating: grey, count: width * height))
    }

    @discardableResult
    func writePGM(_ name: String, width: Int, height: Int, pixels: [UInt8]) throws -> String {
        try write(name, Array("P5\n\(width) \(height)\n255\n".utf8) + pixels)
    }

    func folder(_ name: String) throws -> String {
        guard mkdir("\(path)/\(name)", 0o755) == 0 else { throw Failed() }
        return "\(path)/\(name)"
    }

    private func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            closedir(directory)
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}

/// A grey 4×4 PNG of level 200.
let smallPNG: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x04, 0x08, 0x00, 0x00, 0x00, 0x00, 0x8C, 0x9A, 0xC1,
    0xA2, 0x00, 0x00, 0x00, 0x0E, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x38, 0x01, 0x04, 0x0C,
    0xA8, 0x04, 0x00, 0x7D, 0x14, 0x0C, 0x81, 0xAB, 0x88, 0xFF, 0x10, 0x00, 0x00, 0x00, 0x00, 0x49,
    0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]
