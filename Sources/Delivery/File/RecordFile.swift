import Glibc
import Linux

/// A file that records are appended to, whole or not at all.
///
/// Opened with O_APPEND, never as a FIFO or device, for one station alone (an advisory lock). A record that doesn't fit is removed again.
/// If a crash left a line without its line feed, one is added before the next record, so that a repeated record is a line of its own.
struct RecordFile {
    let path: String
    /// Where `path` leads: what is moved aside is the file, not a link to it.
    private let place: String
    private let owner: @Sendable (String) -> String?
    private(set) var size: Int
    private let descriptor: Descriptor
    private let calls: FileCalls
    private let device: dev_t
    private let inode: ino_t
    /// The last line has no end.
    private var isTorn: Bool

    /// `mode`: permissions if it is created. `isLines`: each record ends in a line feed. `owner`: whose file a path is, if it must not be
    /// touched.
    static func open(
        _ path: String, mode: UInt32, isLines: Bool, sync: Bool, calls: FileCalls,
        owner: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws(DeliveryError) -> RecordFile {
        // Checked before it is opened: closing the journal's database again would end SQLite's locks on it.
        if let other = owner(path) { throw FileProblem.foreign(path, other) }
        // Checked before it is opened: opening a FIFO or a device may have effects.
        var status = stat()
        if stat(path, &status) == 0 {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { throw FileProblem.folder(path) }
            guard kind == S_IFREG else { throw FileProblem.notAFile(path, status.st_mode) }
        }
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        var number = Glibc.open(path, flags | O_CREAT | O_EXCL, mode_t(mode))
        let isNew = number >= 0
        // A link that leads to nothing counts as existing, and is followed.
        if number < 0, errno == EEXIST { number = Glibc.open(path, flags | O_CREAT, mode_t(mode)) }
        guard number >= 0 else { throw FileProblem.error("open", path, SystemError()) }
        let descriptor = Descriptor(number)
        guard fstat(number, &status) == 0 else { throw FileProblem.error("open", path, SystemError()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileProblem.notAFile(path, status.st_mode) }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw FileProblem.inUse(path) }
        if isNew {
            // The requested mode, whatever the umask.
            fchmod(number, mode_t(mode))
            // A folder that can't be flushed doesn't keep records out of a file that can.
            if sync { try? WholeFile.syncFolder(WholeFile.folder(of: path)) }
        }
        var last: UInt8 = 0x0A
        if status.st_size > 0 { pread(number, &last, 1, status.st_size - 1) }
        return RecordFile(
            path: path, owner: owner, size: Int(status.st_size), descriptor: descriptor, calls: calls,
            device: status.st_dev, inode: status.st_ino, isTorn: isLines && last != 0x0A)
    }

    private init(
        path: String, owner: @escaping @Sendable (String) -> String?, size: Int, descriptor: Descriptor,
        calls: FileCalls, device: dev_t, inode: ino_t, isTorn: Bool
    ) {
        self.path = path
        place = Files.resolved(path) ?? path
        self.owner = owner
        self.size = size
        self.descriptor = descriptor
        self.calls = calls
        self.device = device
        self.inode = inode
        self.isTorn = isTorn
    }

    /// Whether `path` still leads to this file: somebody (logrotate) may have moved or deleted it.
    var isCurrent: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// Updates the size: somebody may have emptied it.
    mutating func refresh() {
        var status = stat()
        if fstat(descriptor.number, &status) == 0 { size = Int(status.st_size) }
        if size == 0 { isTorn = false }
    }

    /// Writes all of `record` or nothing: if it doesn't fit, the part that was written is cut off again.
    mutating func append(_ record: [UInt8]) throws(DeliveryError) {
        let bytes = isTorn ? [0x0A] + record : record
        var offset = 0
        while offset < bytes.count {
            let failure: SystemError
            switch calls.write(descriptor, bytes, offset) {
            case .written(let count) where count > 0:
                offset += count
                continue
            case .written: failure = SystemError(ENOSPC)
            case .wouldBlock: failure = SystemError(EAGAIN)
            case .failed(let error): failure = error
            }
            cut(to: size)
            throw FileProblem.error("write to", path, failure)
        }
        size += bytes.count
        isTorn = false
    }

    /// Removes what came after `length`. If even that fails, the next opening finds a torn line and completes it.
    mutating func cut(to length: Int) {
        if ftruncate(descriptor.number, off_t(length)) == 0 { size = length }
    }

    /// Returns when everything appended is on disk.
    func sync() throws(DeliveryError) {
        if let error = calls.sync(descriptor) { throw FileProblem.error("save", path, error) }
    }

    func hasRoom(for count: Int) -> Bool { calls.hasRoom(descriptor, count) }

    /// Moves the file aside to `PATH.1`, and earlier ones one step further, up to `PATH.keep`; the open file goes with it. Each step is
    /// atomic, and a crash between two steps leaves a gap that the next rotation fills: only what falls off the end is lost.
    func rotate(keep: Int, sync: Bool) throws(DeliveryError) {
        // Somebody may have put another file in its place meanwhile, or where it should go.
        guard isCurrent else { return }
        guard keep > 0 else {
            guard unlink(place) == 0 || errno == ENOENT else { throw FileProblem.error("remove", path, SystemError()) }
            return
        }
        var free = 1
        while free < keep, try isTaken("\(place).\(free)") { free += 1 }
        _ = try isTaken("\(place).\(free)")
        for number in stride(from: free, to: 0, by: -1) {
            let from = number == 1 ? place : "\(place).\(number - 1)"
            guard rename(from, "\(place).\(number)") == 0 || errno == ENOENT else {
                throw FileProblem.error("put aside", path, SystemError())
            }
        }
        if sync { try? WholeFile.syncFolder(WholeFile.folder(of: place)) }
    }

    /// Whether a file that was moved aside earlier is there. Throws if it is something else, which must not be moved or replaced.
    private func isTaken(_ name: String) throws(DeliveryError) -> Bool {
        var status = stat()
        guard lstat(name, &status) == 0 else { return false }
        if let other = owner(name) { throw FileProblem.inTheWay(of: path, name, other) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem.inTheWay(of: path, name, FileProblem.kind(status.st_mode))
        }
        return true
    }
}
