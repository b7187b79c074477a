import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import Reading

@Suite(.timeLimit(.minutes(10)))
struct CrashFolderTests {
    private let folder = TemporaryFolder()

    private var files: [String] { folder.names.sorted() }

    private func content(of name: String) -> [UInt8] {
        guard let stream = fopen(folder.file(name), "r") else { return [] }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }

    @Test func `the newest files are kept, the oldest deleted`() async {
        let keeper = CrashFolder(path: folder.path, maxFiles: 2)
        let picture = TestPicture.gradient(width: 4, height: 3)
        for number in 1...5 {
            _ = await callback { done in
                keeper.keep(
                    picture.pixels, size: picture.size, sequence: UInt64(number),
                    at: Instant(nanoseconds: Int64(number))
                ) { _ in done(true) }
            }
        }
        #expect(files.map { $0.hasSuffix("-4.pgm") || $0.hasSuffix("-5.pgm") } == [true, true])
        #expect(content(of: files[1]) == picture.pgm)
    }

    @Test func `the error names a folder that can't be written to`() async {
        let keeper = CrashFolder(path: "/proc/nonexistent", maxFiles: 2)
        let result = await callback {
            keeper.keep([0], size: FrameSize(width: 1, height: 1), sequence: 1, at: .zero, done: $0)
        }
        #expect(throws: ReaderError.self) { try result?.get() }
    }

    @Test func `the frame that a reader crashed on is kept, and can be read as a picture`() async throws {
        var settings = ReaderRig.settings()
        settings.crashFolder = folder.path
        let rig = ReaderRig(settings: settings, fault: "crash-on-frame=1")
        let picture = TestPicture.gradient(width: 80, height: 60)
        try await rig.reader.start(size: picture.size)
        rig.deliver(picture)
        let kept = await rig.notice { if case .setAside = $0 { true } else { false } }
        guard case .setAside(let path)? = kept?.kind else { return #expect(Bool(false)) }
        #expect(path.hasPrefix(folder.path))
        let isWhole = content(of: files[0]) == picture.pgm
        #expect(isWhole)
        await rig.reader.stop()
    }
}
