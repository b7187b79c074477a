import Foundation

/// A disk that forgets what wasn't flushed. `CPowerCut`, preloaded into a station, copies what is flushed; a cut replaces the station's
/// files with these copies.
struct PowerCut {
    /// What becomes of writes that weren't flushed. A real disk may have kept any of them.
    enum Kind: CaseIterable {
        case nothingSurvives
        /// Each sector may have reached the disk, in any order.
        case someSectorsSurvive
    }

    static let sectorBytes = 512

    /// The folder with the journal; everything in it is at risk.
    let state: String
    private let copies: String

    init(folder: String) throws {
        state = folder + "/state"
        copies = folder + "/flushed"
        for path in [state, copies] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// For a station that uses this disk.
    func environment() throws -> [String: String] {
        let library = StressExecutables.folder + "/libscanstation-powercut.so"
        guard access(library, R_OK) == 0 else {
            throw BenchmarkFailure(
                "\(library) isn't there: swift build --product scanstation-powercut, as make stress does")
        }
        return ["LD_PRELOAD": library, "SCANSTATION_POWERCUT_FOLDER": state, "SCANSTATION_POWERCUT_COPY": copies]
    }

    /// How often each call was seen on the station's files so far.
    var calls: [String: Int] {
        let text = (try? String(contentsOfFile: copies + "/calls", encoding: .utf8)) ?? ""
        return Dictionary(
            text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                return words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
            }
        ) { first, _ in first }
    }

    /// After the station was killed. Returns the bytes that differ from what the station had written.
    @discardableResult
    func cut(_ kind: Kind, _ random: inout SplitMix) throws -> Int {
        let files = FileManager.default
        let names = try String(contentsOfFile: copies + "/names", encoding: .utf8).split(separator: "\n")
        var survivors: [String: [UInt8]] = [:]
        var lostBytes = 0
        for line in names {
            let words = line.split(separator: " ", maxSplits: 1)
            // SQLite makes it again; nothing in it counts.
            guard words.count == 2, !words[1].hasSuffix("-shm") else { continue }
            let (key, name) = (String(words[0]), String(words[1]))
            let flushed = bytes(copies + "/content-" + key)
            let written = inode(state + "/" + name) == key.prefix { $0 != "-" } ? bytes(state + "/" + name) : flushed
            let survivor = kind == .nothingSurvives ? flushed : mix(flushed, written, &random)
            survivors[name] = survivor
            lostBytes += abs(written.count - survivor.count) + zip(written, survivor).count { $0 != $1 }
        }
        for name in try files.contentsOfDirectory(atPath: state) { try files.removeItem(atPath: state + "/" + name) }
        for (name, content) in survivors {
            try Data(content).write(to: URL(fileURLWithPath: state + "/" + name))
        }
        for name in try files.contentsOfDirectory(atPath: copies) where name != "calls" {
            try files.removeItem(atPath: copies + "/" + name)
        }
        return lostBytes
    }

    private func mix(_ flushed: [UInt8], _ written: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var mixed = flushed
        if written.count != flushed.count, random.next() & 1 == 0 {
            if written.count < mixed.count {
                mixed.removeLast(mixed.count - written.count)
            } else {
                mixed += [UInt8](repeating: 0, count: written.count - mixed.count)
            }
        }
        for start in stride(from: 0, to: min(mixed.count, written.count), by: Self.sectorBytes)
        where random.next() & 1 == 0 {
            let end = min(start + Self.sectorBytes, mixed.count, written.count)
            mixed.replaceSubrange(start..<end, with: written[start..<end])
        }
        return mixed
    }

    private func bytes(_ path: String) -> [UInt8] {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) } ?? []
    }

    private func inode(_ path: String) -> String {
        var status = stat()
        return stat(path, &status) == 0 ? String(status.st_ino) : ""
    }
}
