import CLinux
import Glibc
import Linux
import Settings
import Synchronization
import Testing
import Vocabulary

@testable import Reading

/// A reader with real processes, fed one frame at a time.
final class ReaderRig: Sendable {
    let reader: Reader
    let notices: AsyncStream<ReaderNotice>
    var pool: WorkerPool { reader.pool }
    private let sequence = Atomic<UInt64>(0)

    init(
        settings: ReadingSettings = ReaderRig.settings(), viewport: Viewport = .full,
        orientation: Orientation = .upright, fault: String? = nil, executable: String = ReaderExecutable.locate(),
        previews: PreviewMachine.Limits = ReaderRig.previews()
    ) {
        let (stream, continuation) = AsyncStream<ReaderNotice>.makeStream()
        notices = stream
        reader = Reader(
            settings: settings, viewport: viewport, margin: 0.05, orientation: orientation, executable: executable,
            workerArguments: fault.map { ["--fault", $0] } ?? [], gate: ChangeGate(),
            previews: previews, log: { continuation.yield($0) })
    }

    /// A deadline that a debug build meets on a busy machine.
    static let patience: Duration = .seconds(120)

    /// Every frame may be copied, and a copy waits for its result on a busy machine, too.
    static func previews(timeout: Duration = patience) -> PreviewMachine.Limits {
        PreviewMachine.Limits(interval: .zero, patience: patience, timeout: timeout)
    }

    /// Without the change gate.
    static func settings(deadline: Duration = patience, changeGate: Bool = false) -> ReadingSettings {
        var settings = ReadingSettings()
        settings.deadline = deadline
        settings.changeGate = changeGate
        return settings
    }

    @discardableResult
    func deliver(_ picture: TestPicture) -> UInt64 {
        let number = sequence.add(1, ordering: .relaxed).newValue
        picture.withFrame(sequence: number, at: Instant.now) { reader.sink.receive($0) }
        return number
    }

    /// Takes effect from the next frame on.
    func setDeadline(_ deadline: Duration) async { await reader.setSettings(Self.settings(deadline: deadline)) }

    /// Waits for a matching notice.
    func notice(_ fits: @Sendable (ReaderNotice.Kind) -> Bool) async -> ReaderNotice? {
        for await notice in notices where fits(notice.kind) { return notice }
        return nil
    }
}

extension Trait where Self == ConditionTrait {
    /// Sanitizer builds leave out what it tests.
    static var confined: Self {
        .enabled(if: CLinux_sanitizer() == CLINUX_NO_SANITIZER, "a reader with a sanitizer isn't confined")
    }
}

extension AsyncStream<ReadResult>.Iterator {
    /// The next frame's own result; the ladder's finds may come in between.
    mutating func nextRead() async -> ReadResult? {
        while let result = await next() { if result.isRead { return result } }
        return nil
    }
}

/// The names of this process's open descriptors.
func openDescriptors() -> Set<String> {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var names: Set<String> = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if Int32(name) != nil, name != String(dirfd(folder)) { names.insert(name) }
    }
    return names
}
