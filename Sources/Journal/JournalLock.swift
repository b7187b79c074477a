import Glibc

/// One station a journal: `flock` on a file beside it, with the holder's process id in it. Freed by the kernel when the
/// process ends, however it ends.
final class JournalLock: Sendable {
    private let descriptor: Int32

    /// Throws `inUse` when another one holds it.
    init(_ place: JournalPlace) throws(JournalError) {
        let opened = open(place.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard opened >= 0 else {
            let reason = String(cString: strerror(errno))
            throw JournalError(
                errno == ENOSPC || errno == EDQUOT ? .full : .unavailable,
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
        let pid = Array("\(getpid())\n".utf8)
        // Only for the message above: a full disk doesn't matter.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, pid, pid.count, 0) }
    }

    deinit { close(descriptor) }

    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }
}
