import Foundation

/// The machine that figures were measured on.
enum Machine {
    static var description: String {
        let model =
            line(of: "/proc/device-tree/model") ?? field("model name", of: "/proc/cpuinfo") ?? "unknown processor"
        let system = field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? "unknown system"
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let load = line(of: "/proc/loadavg")?.split(separator: " ").first ?? "?"
        return "\(model), \(cores) cores; \(system); load \(load) at the start"
    }

    private static func line(of path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").first.map {
            $0.trimmingCharacters(in: .controlCharacters)
        }
    }

    private static func field(_ name: String, of path: String, separator: Character = ":") -> String? {
        for line in ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name {
                return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
            }
        }
        return nil
    }
}
