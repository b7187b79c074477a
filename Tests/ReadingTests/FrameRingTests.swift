import CLinux
import Glibc
import Testing
import Vocabulary

@testable import Reading

struct FrameRingTests {
    @Test func `nobody but the station's own mapping can write the ring or change its size`() throws {
        let ring = try FrameRing(frameSize: FrameSize(width: 64, height: 64), slotCount: 3)
        ring.pixels(ofSlot: 2)[5] = 77
        // A worker gets this descriptor.
        var error: Int32 = 0
        #expect(CLinux_map(ring.descriptor, ring.byteCount, 1, &error) == nil)
        #expect(error == EPERM)
        #expect(pwrite(ring.descriptor, "x", 1, 0) == -1 && errno == EPERM)
        #expect(ftruncate(ring.descriptor, off_t(ring.byteCount) * 2) == -1 && errno == EPERM)
        #expect(ftruncate(ring.descriptor, 0) == -1 && errno == EPERM)
        #expect(CLinux_memfd_seal(ring.descriptor, Int32(CLINUX_SEAL_CONTENT)) == -EPERM)
        // Reading works, and shows what the station writes later.
        let shared = try #require(CLinux_map(ring.descriptor, ring.byteCount, 0, &error))
        defer { CLinux_unmap(shared, ring.byteCount) }
        let offset = Int(ring.offset(ofSlot: 2)) + 5
        #expect(shared.load(fromByteOffset: offset, as: UInt8.self) == 77)
        ring.pixels(ofSlot: 2)[5] = 78
        #expect(shared.load(fromByteOffset: offset, as: UInt8.self) == 78)
    }

    @Test(arguments: [
        FrameSize(width: 0, height: 10), FrameSize(width: 40_000, height: 10), FrameSize(width: 30_000, height: 30_000),
    ])
    func `sizes beyond the limits are refused, and the error says what to do`(size: FrameSize) {
        #expect { try FrameRing(frameSize: size, slotCount: 3) } throws: { "\($0)".contains("capture.resolution") }
    }
}

struct FrameCopierTests {
    /// A frame in camera memory with padding after each row, and other bytes between the samples.
    struct Memory: Sendable, CustomTestStringConvertible {
        var pixelStride: Int
        var padding: Int
        var isMirrored: Bool
        var viewport = Rect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        var testDescription: String { "stride \(pixelStride), padding \(padding), mirrored \(isMirrored)" }
    }

    static let memories = [1, 2, 3].flatMap { stride in
        [0, 13].flatMap { padding in
            [false, true].map { Memory(pixelStride: stride, padding: padding, isMirrored: $0) }
        }
    }

    @Test(arguments: memories)
    func `a frame is copied cropped, without gaps and un-mirrored`(memory: Memory) {
        let size = FrameSize(width: 200, height: 160)
        let picture = TestPicture.gradient(width: size.width, height: size.height)
        let rowStride = size.width * memory.pixelStride + memory.padding
        var bytes = [UInt8](repeating: 0xEE, count: rowStride * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { bytes[y * rowStride + x * memory.pixelStride] = picture[x, y] }
        }
        let view = FrameView(
            frame: size, viewport: Viewport(rect: memory.viewport), margin: 0,
            orientation: Orientation(isMirrored: memory.isMirrored))
        #expect(view.crop == PixelRect(x: 50, y: 80, width: 100, height: 40))
        var signature = FrameSignature()
        var copy = [UInt8](repeating: 0, count: 100 * 40)
        bytes.withUnsafeBytes { bytes in
            copy.withUnsafeMutableBufferPointer { copy in
                FrameCopier.copy(
                    LumaFrame(
                        base: bytes.baseAddress!, size: size, rowStride: rowStride, pixelStride: memory.pixelStride,
                        info: FrameInfo(sequence: 1, exposedAt: .zero, deliveredAt: .zero)),
                    view, to: copy.baseAddress!, signature: &signature)
            }
        }
        for y in 0..<40 {
            for x in 0..<100 {
                #expect(copy[y * 100 + x] == picture[50 + (memory.isMirrored ? 99 - x : x), 80 + y])
            }
        }
        #expect(signature.size == FrameSize(width: 100, height: 40))
    }
}

struct FrameViewTests {
    @Test(arguments: Orientation.Rotation.allCases, [false, true])
    func `corners come back to where they are on the upright frame`(
        rotation: Orientation.Rotation, isMirrored: Bool
    ) {
        let orientation = Orientation(rotation: rotation, isMirrored: isMirrored)
        let frame = FrameSize(width: 1280, height: 720)
        let viewport = Viewport(rect: Rect(x: 0.1, y: 0.2, width: 0.5, height: 0.3))
        let view = FrameView(frame: frame, viewport: viewport, margin: 0.05, orientation: orientation)
        for point in [Point(x: 0.15, y: 0.25), Point(x: 0.6, y: 0.5), Point(x: 0.3, y: 0.4)] {
            // Its place in the copy: cropped, then mirrored.
            let delivered = orientation.delivered(fromUpright: point)
            let x = (delivered.x * 1280 - Double(view.crop.x)) / Double(view.crop.width)
            let y = (delivered.y * 720 - Double(view.crop.y)) / Double(view.crop.height)
            #expect((0...1).contains(x) && (0...1).contains(y))
            let back = view.upright(fromView: Point(x: isMirrored ? 1 - x : x, y: y))
            #expect(abs(back.x - point.x) < 1e-9 && abs(back.y - point.y) < 1e-9)
        }
    }

    @Test func `the margin is added around the viewport, within the frame`() {
        let frame = FrameSize(width: 1000, height: 1000)
        let centre = Viewport(rect: Rect(x: 0.4, y: 0.4, width: 0.2, height: 0.2))
        #expect(
            FrameView(frame: frame, viewport: centre, margin: 0.1, orientation: .upright).crop
                == PixelRect(x: 300, y: 300, width: 400, height: 400))
        #expect(
            FrameView(frame: frame, viewport: .full, margin: 0.1, orientation: .upright).crop
                == PixelRect(x: 0, y: 0, width: 1000, height: 1000))
    }

    @Test(arguments: [
        Rect(x: 0.5, y: 0.5, width: 0, height: 0), Rect(x: 0.999, y: 0.999, width: 1, height: 1),
        Rect(x: 7, y: -3, width: 0.1, height: 0.1), Rect(x: .nan, y: .infinity, width: .nan, height: -1),
        Rect(x: 0.9, y: 0.9, width: -2, height: -2),
    ])
    func `the crop always lies within the frame and isn't empty`(rect: Rect) {
        for size in [FrameSize(width: 640, height: 480), FrameSize(width: 5, height: 3)] {
            let crop = FrameView(
                frame: size, viewport: Viewport(rect: rect), margin: 0.05, orientation: .upright
            ).crop
            #expect(
                crop.width >= min(FrameView.minSide, size.width) && crop.height >= min(FrameView.minSide, size.height))
            #expect(crop.x >= 0 && crop.y >= 0)
            #expect(crop.x + crop.width <= size.width && crop.y + crop.height <= size.height)
        }
    }

    @Test func `the viewport's rule leaves out symbols outside it`() {
        let rect = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        func symbol(_ left: Double, _ right: Double) -> Symbol {
            Symbol(
                symbology: .qrCode, bytes: [1], text: nil,
                corners: Quad(
                    Point(x: left, y: 0.4), Point(x: right, y: 0.4), Point(x: right, y: 0.6), Point(x: left, y: 0.6)))
        }
        let symbols = [symbol(0.3, 0.7), symbol(0.2, 0.4), symbol(0.1, 0.3)]
        func admitted(_ rule: Viewport.Rule) -> Int {
            // With this margin the copy is the whole frame.
            FrameView(
                frame: FrameSize(width: 800, height: 800), viewport: Viewport(rect: rect, rule: rule), margin: 0.25,
                orientation: .upright
            ).upright(symbols).count
        }
        #expect(admitted(.centre) == 2)
        #expect(admitted(.entire) == 1)
    }
}
