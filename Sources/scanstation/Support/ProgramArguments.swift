import Glibc

/// The program's arguments, its own name first.
///
/// Swift looks for them in memory, beside the environment, and finds none if a library that was loaded earlier has moved that: `run` would
/// then look like no command at all. The kernel always knows them.
enum ProgramArguments {
    static var all: [String] { CommandLine.arguments.isEmpty ? read("/proc/self/cmdline") : CommandLine.arguments }

    static func read(_ path: String) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        // Each ends in a NUL, the last one too.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
