import Glibc
import Testing
import Vocabulary

@testable import Reading

@Suite(.timeLimit(.minutes(10)))
final class CrashFolderTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/scanstation-test-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        for name in files { remove(folder + "/" + name) }
        rmdir(folder)
    }

    private var files: [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private func content(of name: String) -> [UInt8] {
        guard let stream = fopen(folder + "/" + name, "r") else { return [] }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }

    @Test func `the newest files are kept, the oldest go`() async {
        let keeper = CrashFolder(path: folder, maxFiles: 2)
        let picture = TestPicture.gradient(width: 4, height: 3)
        for number in 1...5 {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                keeper.keep(
                    picture.pixels, size: picture.size, sequence: UInt64(number),
                    at: Instant(nanoseconds: Int64(number))
                ) { _ in done.resume() }
            }
        }
        #expect(files.map { $0.hasSuffix("-4.pgm") || $0.hasSuffix("-5.pgm") } == [true, true])
        #expect(content(of: files[1]) == picture.pgm)
    }

    @Test func `a folder that can't be written to is named`() async {
        let keeper = CrashFolder(path: "/proc/nonexistent", maxFiles: 2)
        let result = await withCheckedContinuation { continuation in
            keeper.keep([0], size: FrameSize(width: 1, height: 1), sequence: 1, at: .zero) {
                continuation.resume(returning: $0)
            }
        }
        #expect(throws: ReaderError.self) { try result.get() }
    }

    @Test func `the frame that a reader crashed on is kept, and can be read as a picture`() async throws {
        var settings = ReaderRig.settings()
        settings.crashFolder = folder
        let rig = ReaderRig(settings: settings, fault: "crash-on-frame=1")
        let picture = TestPicture.gradient(width: 80, height: 60)
        try await rig.reader.start(size: picture.size)
        rig.deliver(picture)
        let kept = await rig.notice { if case .setAside = $0 { true } else { false } }
        guard case .setAside(let path)? = kept?.kind else { return #expect(Bool(false)) }
        #expect(path.hasPrefix(folder))
        let isWhole = content(of: files[0]) == picture.pgm
        #expect(isWhole)
        await rig.reader.stop()
    }
}
