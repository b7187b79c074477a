import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import Reading

/// With the real executable, found beside the test runner.
@Suite(.timeLimit(.minutes(10)))
struct PictureRendererTests {
    private static let frame = FrameSize(width: 8, height: 4)
    private let folder = TemporaryFolder()

    private func file(_ name: String, _ text: String) throws -> FileName { FileName(try folder.write(name, text)) }

    private func renderer(fault: String? = nil, limits: PictureRenderer.Limits = .init()) -> PictureRenderer {
        PictureRenderer(
            limits: limits, executable: ReaderExecutable.locatePictures(), faults: fault.map { ["--fault", $0] } ?? [])
    }

    @Test func `a picture lies in the middle of its frame`() throws {
        let rendering = try renderer().render(try file("a.pgm", "P2 2 2 255 1 2 3 4"), on: Self.frame)
        let ground = [UInt8](repeating: Letterbox.ground, count: 8)
        let side = ground.prefix(3)
        var expected: [UInt8] = ground
        for row in [[1, 2], [3, 4]] as [[UInt8]] { expected += side + row + side }
        expected += ground
        #expect(rendering.pixels == expected)
        #expect(rendering.size == FrameSize(width: 2, height: 2) && rendering.damage == nil)
    }

    @Test func `a crash is this picture's error, which names it; the next one gets another process`() throws {
        let renderer = renderer(fault: "crash-on-frame=1")
        let (good, bad) = (try file("a.pgm", "P2 1 1 255 9"), try file("b.pgm", "P2 1 1 255 9"))
        for picture in [bad, good] {
            let error = #expect(throws: ReaderError.self) { try renderer.render(picture, on: Self.frame) }
            #expect(error?.message.hasPrefix("\(picture) can't be opened: the reader process") == true)
        }
    }

    @Test func `a process that an earlier picture has damaged costs the next one nothing`() throws {
        let renderer = renderer(fault: "crash-on-frame=2")
        let picture = try file("a.pgm", "P2 1 1 255 9")
        for _ in 0..<3 { #expect(try renderer.render(picture, on: Self.frame).pixels.contains(9)) }
    }

    @Test func `a picture that isn't decoded in time is reported as too large`() throws {
        var limits = PictureRenderer.Limits()
        limits.deadline = .milliseconds(200)
        let bad = try file("b.pgm", "P2 1 1 255 9")
        let error = #expect(throws: ReaderError.self) {
            try renderer(fault: "hang-on-frame=1", limits: limits).render(bad, on: Self.frame)
        }
        #expect(error?.message.hasPrefix("\(bad)") == true && error?.message.contains("too large") == true)
    }

    @Test func `the process refuses a file that isn't a picture, and stays`() throws {
        let renderer = renderer()
        let bad = try file("b.pgm", "P2 what")
        let error = #expect(throws: ReaderError.self) { try renderer.render(bad, on: Self.frame) }
        #expect(error?.message.hasPrefix("\(bad): damaged PGM") == true)
        #expect(throws: ReaderError.self) { try renderer.render(FileName(folder.file("none")), on: Self.frame) }
        #expect(try renderer.render(try file("a.pgm", "P2 1 1 255 9"), on: Self.frame).pixels.contains(9))
    }

    @Test func `another frame size gets another canvas`() throws {
        let renderer = renderer()
        let picture = try file("a.pgm", "P2 1 1 255 9")
        for size in [Self.frame, FrameSize(width: 3, height: 3), Self.frame] {
            #expect(try renderer.render(picture, on: size).pixels.count == size.width * size.height)
        }
    }

    @Test func `a missing executable is the picture's error`() throws {
        let renderer = PictureRenderer(executable: "/nonexistent/reader")
        let picture = try file("a.pgm", "P2 1 1 255 9")
        let error = #expect(throws: ReaderError.self) { try renderer.render(picture, on: Self.frame) }
        #expect(error?.message.contains("/nonexistent/reader") == true)
    }
}
