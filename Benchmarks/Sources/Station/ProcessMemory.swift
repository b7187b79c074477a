import Foundation

/// Memory of a process, bytes, from /proc/PID/smaps_rollup.
struct ProcessMemory {
    var pss = 0
    /// Shared memory files: the ring.
    var shared = 0
    /// Written by this process, for itself. Clean pages of programs and libraries aren't in it: they are the disk's, and count as
    /// private or shared depending on what else runs on the machine.
    var privateBytes = 0

    init(pid: Int32) {
        for line in ((try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)) ?? "").split(
            separator: "\n")
        {
            let words = line.split(separator: " ")
            guard words.count >= 2, let kilobytes = Int(words[1]) else { continue }
            switch words[0] {
            case "Pss:": pss = kilobytes * 1024
            case "Pss_Shmem:": shared = kilobytes * 1024
            case "Private_Dirty:": privateBytes = kilobytes * 1024
            default: break
            }
        }
    }
}

/// A process that is measured.
struct MeasuredProcess {
    let pid: Int32

    var memory: ProcessMemory { ProcessMemory(pid: pid) }

    /// User and system time so far.
    var processorSeconds: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Its children, by name.
    func children(named name: String) -> [MeasuredProcess] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap(Int32.init).sorted().compactMap { child in
            guard let text = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[end...].split(separator: " ")
            guard fields.count > 2, Int32(fields[2]) == pid, text.contains("(\(name.prefix(15))") else { return nil }
            return MeasuredProcess(pid: child)
        }
    }
}
