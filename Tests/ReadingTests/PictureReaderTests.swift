import Foundation
import Glibc
import ReaderProtocol
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import Reading

/// With the real executable, found beside the test runner.
@Suite(.timeLimit(.minutes(10)))
struct PictureReaderTests {
    private let folder = TemporaryFolder()
    private let code: TestPicture

    init() {
        var picture = TestPicture(width: 400, height: 300)
        picture.addEAN13("4006381333931")
        code = picture
    }

    private func file(_ bytes: [UInt8]) throws -> String { try folder.write("a.pgm", bytes) }

    private func reader(
        fault: String? = nil, limits: PictureReader.Limits = .init(), explains: Bool = false
    ) -> PictureReader {
        PictureReader(
            settings: ReadingSettings(), limits: limits, explains: explains,
            executable: ReaderExecutable.locatePictures(),
            faults: fault.map { ["--fault", $0] } ?? [])
    }

    @Test func `a picture's size and codes come back`() async throws {
        let result = await reader().read(try file(code.pgm))
        #expect(result.error == nil && result.crashes == 0 && !result.timedOut)
        #expect(result.size == FrameSize(width: 400, height: 300))
        #expect(result.symbols.map(\.text) == ["4006381333931"])
        #expect(result.decodeTime > .zero)
    }

    @Test func `a reader of another version is refused, and the error says why`() async throws {
        let result = await reader(fault: "other-version").read(try file(code.pgm))
        #expect(result.symbols.isEmpty)
        #expect(result.error?.contains("is of version 9.9.9, this program of") == true)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a pass that crashes costs only that pass; earlier and later finds are kept`(pass: Int) async throws {
        let reader = reader(fault: "crash-on-pass=\(pass)")
        let result = await reader.read(try file(code.pgm))
        #expect(result.crashes == 1)
        #expect(result.error == nil)
        #expect(result.symbols.map(\.text) == ["4006381333931"])
        #expect(result.size == code.size)
    }

    @Test func `what wasn't read is explained, if that is asked for`() async throws {
        // The right half of it is beyond the edge.
        var cut = TestPicture(width: 400, height: 300)
        cut.addEAN13("4006381333931", x: 60, y: 60)
        cut = cut.leftPart(width: 190)
        #expect(try await reader().read(file(cut.pgm)).unread.isEmpty)
        let result = await reader(explains: true).read(try file(cut.pgm))
        #expect(result.symbols.isEmpty && result.error == nil)
        #expect(result.unread.map(\.cause) == [.cutOff])
    }

    @Test func `a crash in the explanation costs only the explanation`() async throws {
        let reader = reader(fault: "crash-on-pass=\(ReaderLimits.explanation)", explains: true)
        let result = await reader.read(try file(code.pgm))
        #expect(result.error == nil && result.symbols.map(\.text) == ["4006381333931"] && result.unread.isEmpty)
        let next = await reader.read(try file(code.pgm))
        #expect(next.symbols.map(\.text) == ["4006381333931"])
    }

    /// Reads with a limit that grows until everything before the pass that hangs meets it, however slow the machine is; on a fast machine
    /// the wait is short.
    private func read(
        fault: String, _ limit: (inout PictureReader.Limits, Duration) -> Void,
        isEnough: (PictureResult) -> Bool = { !$0.symbols.isEmpty }
    ) async throws -> PictureResult {
        let path = try file(code.pgm)
        var wait = Duration.milliseconds(500)
        while true {
            var limits = PictureReader.Limits()
            limit(&limits, wait)
            let result = await reader(fault: fault, limits: limits).read(path)
            if isEnough(result) || wait > ReaderRig.patience { return result }
            wait *= 2
        }
    }

    @Test func `a pass that hangs is cut short, and the next one runs`() async throws {
        let result = try await read(
            fault: "hang-on-pass=1", { $0.passDeadline = $1 }, isEnough: { !$0.timedOut && !$0.symbols.isEmpty })
        #expect(!result.timedOut && result.crashes == 0 && result.error == nil)
        #expect(result.symbols.map(\.text) == ["4006381333931"])
    }

    @Test func `the deadline ends a read, which keeps its finds`() async throws {
        let result = try await read(fault: "hang-on-pass=3") {
            $0.deadline = $1
            $0.passDeadline = .seconds(600)
        }
        #expect(result.timedOut)
        #expect(result.error?.contains("a.pgm") == true)
        #expect(result.symbols.map(\.text) == ["4006381333931"])
    }

    @Test func `a picture made to take long ends after a few late passes, and keeps its finds`() async throws {
        let result = try await read(fault: "hang-on-pass=3") {
            $0.passDeadline = $1
            $0.maxLatePasses = 1
        }
        #expect(result.timedOut && result.error?.contains("took too long") == true)
        #expect(result.symbols.map(\.text) == ["4006381333931"])
    }

    @Test func `a crash while a picture is opened is that picture's error, and the next one is read`() async throws {
        let reader = reader(fault: "crash-on-frame=1")
        let path = try file(code.pgm)
        let result = await reader.read(path)
        #expect(result.crashes == 1)
        #expect(result.error?.contains("can't be opened") == true)
    }

    @Test func `a process that was killed between two pictures doesn't count against the second`() async throws {
        let path = try file(code.pgm)
        let reader = reader()
        #expect(await reader.read(path).symbols.count == 1)
        let pid = try #require(await reader.processID)
        kill(pid, SIGKILL)
        var info = siginfo_t()
        waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
        let second = await reader.read(path)
        #expect(second.symbols.count == 1)
        #expect(second.error == nil)
    }

    @Test(.confined) func `a library that takes far more memory than the picture needs gets none`() async throws {
        let result = await reader(fault: "swell-on-frame=1").read(try file(code.pgm))
        #expect(result.crashes == 0 && result.error == nil)
        #expect(result.symbols.map(\.text) == ["4006381333931"])
    }

    @Test(.confined, arguments: ["picture-png/seeds/long-text.png", "picture-heif/seeds/large-grid.heic"])
    func `a small file that claims to need a gigabyte doesn't get it`(name: String) async throws {
        let reader = reader()
        _ = await reader.read(try file(code.pgm))
        let pid = try #require(await reader.processID)
        let before = try #require(Self.mostMemory(of: pid))
        let result = await reader.read(Self.fuzzTargets + name)
        #expect(result.error?.contains("damaged") == true && result.crashes == 0)
        #expect(await reader.processID == pid)
        let after = try #require(Self.mostMemory(of: pid))
        #expect(after - before < 100_000, "kilobytes, \(before) before")
    }

    @Test func `a picture that refers to itself is an error for that picture only`() async {
        let result = await reader().read(Self.fuzzTargets + "picture-heif/seeds/made-of-itself.heic")
        #expect(result.error?.contains("made of each other") == true && result.crashes == 0)
    }

    @Test func `a picture that breaks off is read as far as it goes, and reported as damaged`() async throws {
        let whole = Self.fuzzTargets + "picture-jpeg/seeds/large.jpg"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        let cut = await reader().read(try file([UInt8](bytes.prefix(bytes.count * 3 / 4))))
        #expect(cut.damage?.contains("breaks off") == true)
        #expect(cut.error == nil && cut.size == FrameSize(width: 400, height: 300))
        #expect(cut.symbols.map(\.text) == ["4006381333931"])
        #expect(await reader().read(whole).damage == nil)
    }

    private static let fuzzTargets =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fuzz/Targets/").path + "/"

    /// The largest size that its address space has had, in kilobytes.
    private static func mostMemory(of pid: Int32) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
        return status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) }
    }

    @Test func `the error names a file that isn't a picture, and the reason`() async throws {
        let reader = reader()
        for (bytes, reason) in [
            ([], "empty"), (Array("hello".utf8), "a.pgm"), (Array("P5\n100 100\n255\nxx".utf8), "a.pgm"),
            (Array("P5\n60000 60000\n255\n".utf8), "a.pgm"), ([0xFF, 0xD8, 0xFF, 0xE0], "a.pgm"),
            (Array(repeating: 0, count: 5000), "a.pgm"),
        ] as [([UInt8], String)] {
            let result = await reader.read(try file(bytes))
            #expect(result.error?.contains(reason) == true, "\(result)")
            #expect(result.crashes == 0 && result.symbols.isEmpty && result.size == nil)
        }
        // The same process is still there for a good picture.
        #expect(await reader.read(try file(code.pgm)).symbols.count == 1)
    }

    @Test func `anything that isn't a file is refused without hanging`() async {
        let reader = reader()
        mkdir(folder.file("folder"), 0o700)
        mkfifo(folder.file("pipe"), 0o600)
        #expect(await reader.read(folder.file("none")).error?.contains("No such file") == true)
        #expect(await reader.read(folder.file("folder")).error?.contains("not a file") == true)
        #expect(await reader.read(folder.file("pipe")).error?.contains("not a file") == true)
        #expect(await reader.read("/dev/zero").error?.contains("not a file") == true)
    }

    @Test func `a missing executable is the picture's error`() async throws {
        let reader = PictureReader(settings: ReadingSettings(), executable: "/nonexistent/reader")
        #expect(await reader.read(try file(code.pgm)).error?.contains("/nonexistent/reader") == true)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct DecoderInventoryTests {
    @Test func `the linked decoders list what they read`() async throws {
        let inventory = try await DecoderInventory.load()
        #expect(inventory.libraries(reading: .qrCode).count == 2)
        #expect(inventory.decoders.allSatisfy { !$0.version.isEmpty })
        #expect(inventory.unreadable(in: ReadingSettings()) == [])
    }

    @Test func `symbologies that no library reads are listed`() {
        let inventory = DecoderInventory(decoders: [
            DecoderCapability(library: "x", version: "1", symbologies: [.qrCode])
        ])
        var settings = ReadingSettings()
        settings.symbologies = [
            .qrCode: SymbologySettings(), .maxiCode: SymbologySettings(), .aztec: SymbologySettings(),
        ]
        #expect(inventory.unreadable(in: settings) == [.aztec, .maxiCode])
    }

    @Test(arguments: ["/nonexistent/reader", "/bin/true", "/bin/cat"])
    func `an executable that can't list them is an error that names it`(executable: String) async {
        await #expect { try await DecoderInventory.load(executable: executable) } throws: {
            "\($0)".contains(executable)
        }
    }
}
