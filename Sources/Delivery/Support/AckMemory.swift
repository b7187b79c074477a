import Glibc
import Linux
import Vocabulary

/// Remembers, in a small file that outlives the process, until when a host that answers with bytes may still answer what was sent: a station that was
/// killed between a record and its answers must not take them for the next scan's.
///
/// The file isn't flushed. What the kernel has survives the process; after a power cut, everything that was sent was sent before this boot. That says
/// enough where an answer comes within a time or never, as on a serial line. What waits in a network's buffers comes after any time: there
/// the file itself is flushed once (`begin`), and is gone after a stop that left nothing owed (`end`).
struct AckMemory: Sendable {
    /// `nil`: nothing can be remembered, so each start assumes the longest time.
    private let path: String?
    private let boot: String

    /// `folder`: the station's own.
    init(folder: String?, output: String, boot: String? = nil) {
        self.boot = boot ?? MachineClock.bootID ?? "unknown"
        let name = output.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                String(decoding: [byte], as: UTF8.self)
            default: "_" + String(byte, radix: 16)
            }
        }.joined()
        path = folder.map { $0 + "/owed-" + name }
    }

    /// Until when answers to what was sent before this process may come; `nil`: none can.
    func load(answerLimit: Duration, at now: Instant) -> Instant? {
        let latest = now.advanced(by: answerLimit)
        guard let path else { return latest }
        // If there is no folder, no station was here before; the journal makes it.
        guard access(folder(of: path), W_OK) == 0 || errno == ENOENT else { return latest }
        let until: Instant
        switch Files.read(path, limit: 128, followsLink: false) {
        case .missing: until = Instant.zero.advanced(by: answerLimit)
        case .notAFile, .failed: until = latest
        case .bytes(let bytes), .tooLong(let bytes):
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard words.count == 2, let nanoseconds = Int64(words[1]) else { return latest }
            // What was sent before this boot was sent before its clock began.
            until =
                words[0] == boot
                ? Instant(nanoseconds: nanoseconds) : Instant.zero.advanced(by: answerLimit)
        }
        return until > now ? min(until, latest) : nil
    }

    /// Whether a process before this one, in any boot, may have ended while an answer was owed.
    func mayBeOwed() -> Bool {
        guard let path else { return true }
        guard access(folder(of: path), W_OK) == 0 || errno == ENOENT else { return true }
        switch Files.read(path, limit: 128, followsLink: false) {
        case .missing: return false
        case .notAFile, .failed, .tooLong: return true
        case .bytes(let bytes):
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard words.count == 2, words[0] == boot, let nanoseconds = Int64(words[1]) else { return true }
            return nanoseconds > 0
        }
    }

    /// Something is sent for the first time: even a power cut leaves the file.
    func begin() {
        save(Self.ever)
        guard let path else { return }
        for path in [path, folder(of: path)] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            fsync(descriptor)
            close(descriptor)
        }
    }

    /// Nothing is owed, and nothing will be sent any more.
    func end() { _ = path.map { unlink($0) } }

    /// An answer may come after any time.
    static let ever = Instant(nanoseconds: .max)

    /// `nil`: no answer is owed.
    func save(_ until: Instant?) {
        guard let path else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Always the same length, so that it is overwritten in one piece.
        let number = String(max(0, until?.nanoseconds ?? 0))
        let bytes = Array((boot + " " + String(repeating: "0", count: max(0, 19 - number.count)) + number).utf8)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    private func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

}
