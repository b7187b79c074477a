import Glibc
import TestSupport
import Testing

@testable import StationConfiguration

@Suite("Configuration files")
struct FileTests {
    private func problems(at path: String) -> [String] {
        do {
            return try StationConfiguration.load(path: path).warnings.map(\.description)
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test("give settings, and problems under the name they were given by")
    func giveSettings() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/station.yaml"
        try write("\u{FEFF}name: dock-7\n", to: path)
        #expect(try StationConfiguration.load(path: path).settings.name == "dock-7")
        try write("\nnaem: dock-7\n", to: path)
        #expect(problems(at: path) == ["\(path):2:1: unknown key \"naem\", did you mean \"name\"?"])
    }

    @Test("that aren't there, or aren't files, are told apart")
    func thatArentFiles() throws {
        let folder = TemporaryFolder()
        let path = folder.path
        #expect(problems(at: path + "/none.yaml") == ["\(path)/none.yaml: can't read it: no such file"])
        #expect(problems(at: path) == ["\(path): this is a directory: name the file in it"])
        #expect(problems(at: "/dev/null") == ["/dev/null: this is not a regular file"])
        mkfifo(path + "/station.yaml", 0o600)
        #expect(problems(at: path + "/station.yaml") == ["\(path)/station.yaml: this is not a regular file"])
    }

    @Test("that may not be read say so", .enabled(if: geteuid() != 0, "root may read everything"))
    func withoutPermission() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/station.yaml"
        try write("name: a\n", to: path)
        chmod(path, 0)
        #expect(
            problems(at: path) == [
                "\(path): can't read it: permission denied: make it readable for the user that runs the station"
            ])
    }

    @Test("that aren't UTF-8 are refused at the first wrong byte", arguments: ["\n", "\r\n", "\r"])
    func notUTF8(lineEnd: String) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/station.yaml"
        try write(Array("# Köln\(lineEnd)name: K".utf8) + [0xF6] + Array("ln\(lineEnd)".utf8), to: path)
        #expect(problems(at: path) == ["\(path):2:8: not UTF-8 text from here on: save the file as UTF-8"])
    }

    @Test("longer than the limit are refused")
    func tooLong() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/station.yaml"
        try write([UInt8](repeating: 0x23, count: ConfigurationFile.maxBytes), to: path)
        #expect(problems(at: path) == [])
        try write([UInt8](repeating: 0x23, count: ConfigurationFile.maxBytes + 1), to: path)
        #expect(problems(at: path) == ["\(path): longer than 1MiB, which is the limit: is this the right file?"])
    }
}
