import CLinux
import Glibc
import Linux

/// One station per journal: `flock` on a file beside it, which contains the holder's process id. The kernel frees it when the process ends,
/// however it ends.
final class JournalLock: Sendable {
    private let descriptor: Int32
    private let place: JournalPlace
    private let file: JournalFootprint.File?

    /// Throws `inUse` when another one holds it.
    init(_ place: JournalPlace) throws(JournalError) {
        let opened = open(place.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard opened >= 0 else {
            let code = errno
            if code == EROFS { throw JournalError(.unavailable, place.writeProtection) }
            let reason = SystemError(code).text
            throw JournalError(
                code == ENOSPC || code == EDQUOT ? .full : .unavailable,
                "can't open \(place.lock): \(reason). Give the folder to the station's user, or set journal.folder")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let holder = JournalLock.text(of: opened)
            close(opened)
            throw JournalError(
                .inUse,
                "the journal in \(place.folder) is in use by process \(holder): stop that station, or set journal.folder"
            )
        }
        descriptor = opened
        self.place = place
        var status = stat()
        file = fstat(opened, &status) == 0 ? JournalFootprint.File(status) : nil
        let pid = Array("\(getpid())\n".utf8)
        // Only for the message above: a full disk doesn't matter.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, pid, pid.count, 0) }
    }

    deinit { close(descriptor) }

    /// Whether its name still leads to it. If not, it keeps nobody out.
    var isCurrent: Bool {
        guard let file, let found = JournalFootprint.File(path: place.lock) else { return false }
        return found.isSame(as: file)
    }

    /// Why nothing can be written to the disk; `nil` if writing works, as far as one can tell without writing.
    var obstacle: String? {
        let result = CLinux_try_disk(place.lock)
        switch -result {
        // A file that lost its name is a matter for `isCurrent`.
        case ..<1, ENOENT: return nil
        case EROFS: return place.writeProtection
        default:
            let reason = SystemError(-result).text
            return "the disk of \(place.folder) doesn't answer (\(reason)): was it pulled out, or is it failing?"
        }
    }

    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }
}
