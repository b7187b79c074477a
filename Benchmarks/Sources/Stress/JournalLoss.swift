import ArgumentParser
import Foundation

/// What happens to a journal while a station has it open.
enum JournalLoss: String, CaseIterable, ExpressibleByArgument {
    case folderDeleted, folderDeletedSlowly, folderMoved, databaseDeleted, databaseMoved, logDeleted, replaced, cut
    case logCut, overwritten, logOverwritten
    /// Something else is mounted over its folder.
    case covered
    /// Its disk is unmounted while it is in use (umount -l).
    case unmounted
    /// The kernel makes its disk read-only, as it does when it finds errors.
    case readOnly
    /// Its disk is pulled out; its name stays for a while.
    case pulled

    /// Microseconds between two files that are deleted slowly, at most; times that the folder is swept.
    private static let (pause, mostSweeps) = (UInt32(30_000), 3)

    /// Whether no journal can be made there until somebody does something.
    var lasts: Bool { self == .readOnly || self == .pulled }

    /// Whether the station can't distinguish it from its own writing if it happens during a commit.
    var hidesInACommit: Bool { self == .logOverwritten }

    /// - Parameter state: the folder of the journal, on `disk`.
    func apply(state: String, disk: RemovableDisk) throws {
        let (database, log) = (state + "/journal.db", state + "/journal.db-wal")
        let files = FileManager.default
        switch self {
        case .folderDeleted: try files.removeItem(atPath: state)
        case .folderDeletedSlowly: try deleteSlowly(state)
        case .folderMoved: try must(rename(state, state + "-moved"), "move \(state)")
        case .databaseDeleted: try must(unlink(database), "delete \(database)")
        case .databaseMoved: try must(rename(database, state + "/mine.db"), "move \(database)")
        case .logDeleted: try must(unlink(log), "delete \(log)")
        case .replaced:
            try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: state + "/other"))
            try must(rename(state + "/other", database), "replace \(database)")
        case .cut: try must(truncate(database, 5000), "cut \(database)")
        case .logCut: try must(truncate(log, 0), "cut \(log)")
        case .overwritten: try overwrite(database, at: 0, count: 16384)
        case .logOverwritten: try overwrite(log, at: 100, count: 4000)
        case .covered:
            try must(
                mount("scanstation-cover", state, "tmpfs", UInt(MS_NOSUID | MS_NODEV), "size=16m,mode=0750"),
                "mount over \(state)")
        case .unmounted: try disk.unmount()
        case .readOnly: try disk.makeReadOnly()
        case .pulled: try disk.cut()
        }
    }

    /// Makes it possible to keep scans again, if nothing else does.
    func mend(disk: RemovableDisk) throws {
        if lasts { try disk.unmount() }
    }

    /// Puts everything back where it was, except the journal; for the station that is a second loss, if the disk comes back over the
    /// journal that it has made meanwhile.
    func tidy(state: String, disk: RemovableDisk) throws {
        let files = FileManager.default
        switch self {
        case .covered: try must(umount2(state, Int32(MNT_DETACH)), "unmount \(state)")
        case .unmounted, .readOnly, .pulled: try disk.putIn()
        default: try? files.removeItem(atPath: state + "-moved")
        }
        // A station makes at most 16 of them; this test would make more.
        for name in (try? files.contentsOfDirectory(atPath: state)) ?? [] where name.hasPrefix("journal-damaged-") {
            try? files.removeItem(atPath: "\(state)/\(name)")
        }
    }

    /// Whether `tidy` takes the place of the journal that was made meanwhile.
    var returns: Bool { [.covered, .unmounted, .readOnly, .pulled].contains(self) }

    /// File by file, as `rm -r` does on a slow disk: the station may make its new journal in between, and lose that, too.
    private func deleteSlowly(_ folder: String) throws {
        for _ in 0..<Self.mostSweeps where access(folder, F_OK) == 0 {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                _ = unlink("\(folder)/\(name)")
                usleep(.random(in: 0...Self.pause))
            }
            if rmdir(folder) == 0 { return }
        }
    }

    private func overwrite(_ path: String, at offset: off_t, count: Int) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let bytes = [UInt8](repeating: 0xA5, count: count)
        try must(file < 0 || pwrite(file, bytes, count, offset) != count ? -1 : 0, "write over \(path)")
    }

    private func must(_ result: Int32, _ what: String) throws {
        guard result == 0 else {
            throw BenchmarkFailure("\(rawValue): can't \(what): \(String(cString: strerror(errno)))")
        }
    }
}
