import Glibc

@testable import StationConfiguration

/// A file of this repository.
func repositoryPath(_ path: String, file: String = #filePath) -> String {
    file.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/" + path
}

struct FileError: Error, CustomStringConvertible {
    let path: String
    let code = errno
    var description: String { "\(path): \(String(cString: strerror(code)))" }
}

func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw FileError(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { break }
        bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
}

func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "w") else { throw FileError(path: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw FileError(path: path) }
}

/// The problems of a text, as they are printed.
func problems(_ yaml: String, file: String = "station.yaml") -> [String] {
    do {
        return try StationConfiguration.parse(yaml: yaml, file: file).warnings.map(\.description)
    } catch {
        return (error.errors + error.warnings).map(\.description)
    }
}
