import Settings
import Testing
import Vocabulary

@testable import Reading

@Suite("Previews of a reader that works", .timeLimit(.minutes(10)))
struct PreviewTests {
    private func frame(x: Int) -> TestPicture {
        var picture = TestPicture(width: 640, height: 480)
        picture.addEAN13("4006381333931", x: x)
        return picture
    }

    private func asked(_ rig: ReaderRig, after: UInt64? = nil, maxWidth: Int = 320) async throws -> Task<
        Preview?, any Error
    > {
        let task = Task { try await rig.reader.preview(after: after, maxWidth: maxWidth) }
        while !rig.pool.previews.isWanted { await Task.yield() }
        return task
    }

    @Test("The picture is of the whole frame, and its codes are those of that very frame")
    func codes() async throws {
        // Only the upper part is read, and in the ring.
        let rig = ReaderRig(viewport: Viewport(rect: Rect(x: 0, y: 0, width: 1, height: 0.4)))
        try await rig.reader.start(size: FrameSize(width: 640, height: 480))
        var results = rig.reader.results.makeAsyncIterator()
        var newest: UInt64?
        for x in [40, 300, 160] {
            let answer = try await asked(rig, after: newest)
            let sequence = rig.deliver(frame(x: x))
            let result = try #require(await results.nextRead())
            let preview = try #require(try await answer.value)
            newest = sequence
            #expect(preview.info.sequence == sequence)
            #expect(preview.size == FrameSize(width: 320, height: 240))
            #expect(preview.frame == FrameSize(width: 640, height: 480))
            #expect(preview.pixels.count == 320 * 240)
            #expect(preview.isRead)
            #expect(preview.symbols.map(\.text) == ["4006381333931"])
            #expect(result.symbols.contains { $0 == preview.symbols.first })
            let left = preview.symbols.first?.corners.bounds.x ?? 0
            #expect(abs(left * 640 - Double(x)) < 24, "\(left * 640), not \(x)")
            // Below the viewport, where nothing is read.
            #expect(preview.pixels[230 * 320 + 10] == 220)
            #expect(preview.sharpness ?? 0 > 0.9)
        }
        await rig.reader.stop()
    }

    @Test("A code's movement is told in pixels a frame")
    func movement() async throws {
        let rig = ReaderRig()
        try await rig.reader.start(size: FrameSize(width: 640, height: 480))
        var results = rig.reader.results.makeAsyncIterator()
        var movements: [Double?] = []
        for x in [40, 60] {
            let answer = try await asked(rig)
            rig.deliver(frame(x: x))
            _ = await results.nextRead()
            movements.append(try await answer.value?.movement)
        }
        #expect(movements.first == .some(nil))
        let moved = try #require(movements.last ?? nil)
        #expect(abs(moved - 20) < 3, "\(moved)")
        await rig.reader.stop()
    }

    @Test("While reading is paused there is a picture, which says that it wasn't read")
    func paused() async throws {
        let rig = ReaderRig()
        try await rig.reader.start(size: FrameSize(width: 640, height: 480))
        await rig.reader.setPaused(true)
        let answer = try await asked(rig)
        rig.deliver(frame(x: 40))
        let preview = try #require(try await answer.value)
        #expect(!preview.isRead)
        #expect(preview.symbols == [])
        await rig.reader.stop()
    }

    @Test("Without frames the answer is that there is none; nothing is left behind")
    func none() async throws {
        let rig = ReaderRig(previews: ReaderRig.previews(timeout: .milliseconds(1)))
        #expect(try await rig.reader.preview(after: nil, maxWidth: 640) == nil)
        #expect(!rig.pool.previews.isWanted)
    }

    @Test("A picture is turned upright, and so are its codes", arguments: Orientation.Rotation.allCases)
    func turned(rotation: Orientation.Rotation) async throws {
        let rig = ReaderRig(orientation: Orientation(rotation: rotation))
        try await rig.reader.start(size: FrameSize(width: 640, height: 480))
        var results = rig.reader.results.makeAsyncIterator()
        let answer = try await asked(rig, maxWidth: 240)
        rig.deliver(frame(x: 40))
        _ = await results.nextRead()
        let preview = try #require(try await answer.value)
        // Bars are darker than the paper around them.
        let centre = try #require(preview.symbols.first?.corners.centre)
        let bounds = try #require(preview.symbols.first?.corners.bounds)
        func mean(_ rect: Rect) -> Int {
            var (sum, count) = (0, 0)
            for y in Int(rect.y * Double(preview.size.height))..<Int(rect.bottom * Double(preview.size.height)) {
                for x in Int(rect.x * Double(preview.size.width))..<Int(rect.right * Double(preview.size.width)) {
                    sum += Int(preview.pixels[y * preview.size.width + x])
                    count += 1
                }
            }
            return sum / max(1, count)
        }
        #expect(bounds.contains(centre))
        #expect(mean(bounds) < 170)
        #expect(mean(Rect(x: 1 - bounds.right, y: 1 - bounds.bottom, width: bounds.width, height: bounds.height)) > 200)
        await rig.reader.stop()
    }
}
