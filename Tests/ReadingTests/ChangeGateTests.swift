import Reading
import Testing
import Vocabulary

struct ChangeGateTests {
    /// Frames at 30 a second; the gate hears about each read, as if a worker were always idle.
    struct Feed {
        var gate = ChangeGate()
        var now = Instant.zero

        mutating func judge(_ picture: TestPicture) -> ChangeGate.Verdict {
            now = now.advanced(by: .milliseconds(33))
            let verdict = gate.judge(picture.signature, at: now)
            if verdict == .read { gate.noteRead(at: now) }
            return verdict
        }

        /// Feeds frames until the gate has closed.
        mutating func settle(_ picture: TestPicture) {
            for _ in 0...gate.limits.settleReads { _ = judge(picture) }
        }
    }

    private static let scene: TestPicture = {
        var picture = TestPicture(width: 320, height: 240, fill: 150)
        picture.addModules(x: 40, y: 40, side: 80)
        return picture
    }()

    @Test func `a still scene is read until every pass has seen it, then twice a second`() {
        var feed = Feed()
        let settle = feed.gate.limits.settleReads
        #expect(settle >= 2 * ReadEffort.Kind.quick.turns)
        let verdicts = (0..<settle + 90).map { _ in feed.judge(Self.scene) }
        #expect(verdicts.prefix(settle).allSatisfy { $0 == .read })
        #expect(!verdicts.contains(.blank))
        #expect((5...6).contains(verdicts.dropFirst(settle).count { $0 == .read }))
    }

    @Test(arguments: [2.0, 5.0, 10.0])
    func `sensor noise doesn't open it`(sigma: Double) {
        var feed = Feed()
        let frames = (0..<12).map { Self.scene.withNoise(sigma: sigma, seed: $0) }
        for index in 0..<feed.gate.limits.settleReads { _ = feed.judge(frames[index % frames.count]) }
        let read = frames.count { feed.judge($0) == .read }
        #expect(read <= 1)
    }

    /// A code of 2-pixel modules in a corner, darker than the ground by `contrast` steps of luma.
    private static func scene(contrast: Int) -> TestPicture {
        var picture = scene
        for y in 190..<226 {
            for x in 270..<306 where (x / 2 &* 7 &+ y / 2 &* 13) % 5 < 2 { picture[x, y] = UInt8(150 - contrast) }
        }
        return picture
    }

    @Test(arguments: [(40, 2.0), (60, 5.0)])
    func `a faint code in a corner opens it, in noise too`(contrast: Int, sigma: Double) {
        var feed = Feed()
        let before = (0..<6).map { Self.scene.withNoise(sigma: sigma, seed: $0) }
        let after = (6..<12).map { Self.scene(contrast: contrast).withNoise(sigma: sigma, seed: $0) }
        for index in 0..<60 { _ = feed.judge(before[index % before.count]) }
        let verdicts = (0..<10).map { feed.judge(after[$0 % after.count]) }
        #expect(verdicts.count { $0 == .read } >= 9)
    }

    @Test func `a code that fades in slowly opens it`() {
        var feed = Feed()
        feed.settle(Self.scene)
        var read = 0
        // Five seconds.
        for step in 0..<150 where feed.judge(Self.scene(contrast: step / 2)) == .read { read += 1 }
        #expect(read >= feed.gate.limits.settleReads)
    }

    /// Modules of two pixels, equally far below and above `level`, `contrast` steps apart.
    /// - Parameter shift: to the right, in pixels and parts of them.
    private static func texture(
        _ picture: inout TestPicture, x: Int, y: Int, side: Int, level: Int, contrast: Int, shift: Double = 0
    ) {
        func value(_ column: Int, _ row: Int) -> Double {
            (column / 2 &* 7 &+ row / 2 &* 13) % 4 < 2 ? Double(-contrast) / 2 : Double(contrast) / 2
        }
        let (whole, part) = (Int(shift), shift - shift.rounded(.down))
        for row in y..<y + side {
            for column in x + whole + (part > 0 ? 1 : 0)..<x + side {
                let (right, left) = (value(column - whole, row), value(column - whole - (part > 0 ? 1 : 0), row))
                picture[column, row] = UInt8(Double(level) + right * (1 - part) + left * part)
            }
        }
    }

    private static let table = TestPicture(width: 1280, height: 720, fill: 150)

    @Test(arguments: [(24, 40, 2.0), (24, 60, 4.0), (32, 24, 2.0), (40, 80, 8.0)])
    func `a small code as bright as its ground opens it on a large frame`(side: Int, contrast: Int, sigma: Double) {
        var feed = Feed()
        for index in 0..<40 { _ = feed.judge(Self.table.withNoise(sigma: sigma, seed: UInt64(index % 4))) }
        let before = feed.gate.picture
        var frame = Self.table
        Self.texture(&frame, x: 1203, y: 641, side: side, level: 150, contrast: contrast)
        #expect(feed.judge(frame.withNoise(sigma: sigma, seed: 9)) == .read)
        #expect(feed.gate.picture == before + 1)
    }

    private static let print: TestPicture = {
        var picture = table
        texture(&picture, x: 160, y: 120, side: 480, level: 130, contrast: 160)
        return picture
    }()

    /// Where edges are close together, noise changes their sum more than elsewhere. How strong it is shows in the first frames.
    @Test(arguments: [2.5, 5, 8])
    func `noise on small print is no other picture`(sigma: Double) {
        for seed in 0..<3 {
            var feed = Feed()
            for frame in 0..<12 { _ = feed.judge(Self.print.withNoise(sigma: sigma, seed: UInt64(100 * seed + frame))) }
            let before = feed.gate.picture
            #expect(before <= (sigma < 3 ? 1 : 4))
            for frame in 12..<50 {
                _ = feed.judge(Self.print.withNoise(sigma: sigma, seed: UInt64(100 * seed + frame)))
            }
            #expect(feed.gate.picture == before)
            // Print where there was none.
            for frame in 50..<60 {
                var moved = Self.table
                Self.texture(&moved, x: 700, y: 200, side: 480, level: 130, contrast: 160)
                _ = feed.judge(moved.withNoise(sigma: sigma, seed: UInt64(100 * seed + frame)))
            }
            #expect((before + 1...before + 2).contains(feed.gate.picture))
        }
    }

    @Test(arguments: [1, 20])
    func `a small code in the middle of noisy print opens it`(frame: Int) {
        var feed = Feed()
        for seed in 0..<frame { _ = feed.judge(Self.print.withNoise(sigma: 2.5, seed: UInt64(seed))) }
        let before = feed.gate.picture
        var changed = Self.print
        Self.texture(&changed, x: 403, y: 301, side: 32, level: 130, contrast: 60)
        _ = feed.judge(changed.withNoise(sigma: 2.5, seed: 99))
        #expect(feed.gate.picture == before + 1)
    }

    /// A stand that trembles, or a hand: the picture is no longer the one that was read.
    @Test(arguments: [0.25, 0.5, 1], [0.0, 12])
    func `print that moves slowly is soon another picture`(pixels: Double, before speed: Double) {
        var feed = Feed()
        func show(_ place: Double, seed: Int) {
            var picture = Self.table
            Self.texture(&picture, x: 160, y: 120, side: 480, level: 130, contrast: 160, shift: place)
            _ = feed.judge(picture.withNoise(sigma: 1.5, seed: UInt64(seed)))
        }
        for frame in 0..<20 { show(speed * Double(frame), seed: frame) }
        let before = feed.gate.picture
        #expect(before == (speed > 0 ? 20 : 1))
        var moved = 0.0
        for frame in 20..<60 where feed.gate.picture == before {
            moved += pixels
            show(speed * 19 + moved, seed: frame)
        }
        // What moved fast has changed all cells, and their own variation first has to go down again.
        #expect(feed.gate.picture > before && moved <= (speed > 0 ? 4 : 2), "\(moved) pixels")
    }

    @Test func `the same print in a picture of another shape is judged anew`() {
        var feed = Feed()
        for frame in 0..<20 { _ = feed.judge(Self.print.withNoise(sigma: 2.5, seed: UInt64(frame))) }
        var upright = TestPicture(width: 720, height: 1280, fill: 150)
        Self.texture(&upright, x: 100, y: 120, side: 480, level: 130, contrast: 160)
        for frame in 20..<60 { _ = feed.judge(upright.withNoise(sigma: 2.5, seed: UInt64(frame))) }
        #expect(feed.gate.picture == 2)
    }

    @Test(arguments: [30, 150, 600]) func `a small code that fades in opens it, however slowly`(frames: Int) {
        var feed = Feed()
        feed.settle(Self.scene)
        let before = feed.gate.picture
        for step in 0...frames {
            var frame = Self.scene
            Self.texture(&frame, x: 270, y: 190, side: 24, level: 150, contrast: 60 * step / frames)
            _ = feed.judge(frame)
        }
        #expect(feed.gate.picture > before)
    }

    @Test func `after a restart the same picture counts as a new one`() {
        var feed = Feed()
        feed.settle(Self.scene)
        let before = feed.gate.picture
        feed.gate.restart()
        #expect(feed.judge(Self.scene) == .read)
        #expect(feed.gate.picture == before + 1)
    }

    @Test func `light that drifts slowly doesn't open it`() {
        var feed = Feed()
        feed.settle(Self.scene)
        var read = 0
        for step in 0..<150 {
            var frame = Self.scene
            // A tenth brighter within five seconds.
            for index in frame.pixels.indices { frame.pixels[index] += UInt8(Int(frame.pixels[index]) * step / 1500) }
            if feed.judge(frame) == .read { read += 1 }
        }
        #expect(read <= 11, "10 are refreshes")
    }

    @Test func `bands of flickering light don't open it`() {
        var feed = Feed()
        feed.settle(Self.scene)
        var read = 0
        for phase in 0..<25 {
            var frame = Self.scene
            for y in 0..<240 where (y / 60 + phase) % 2 == 0 {
                for x in 0..<320 { frame[x, y] = UInt8(Int(frame[x, y]) * 92 / 100) }
            }
            if feed.judge(frame) == .read { read += 1 }
        }
        #expect(read <= 1)
    }

    @Test(arguments: [(0, 0), (280, 0), (0, 200), (280, 200), (140, 100)])
    func `a small code that appears anywhere opens it at once`(x: Int, y: Int) {
        var feed = Feed()
        feed.settle(Self.scene)
        var frame = Self.scene
        frame.addModules(x: x, y: y, side: 32, module: 2)
        #expect(feed.judge(frame) == .read)
        #expect(feed.gate.picture == 2)
    }

    @Test func `a code in place of another of the same size opens it`() {
        var first = TestPicture()
        first.addEAN13("4006381333931")
        var second = TestPicture()
        second.addEAN13("9780201379624")
        var feed = Feed()
        feed.settle(first)
        #expect(feed.judge(first) == .unchanged)
        #expect(feed.judge(second) == .read)
    }

    @Test func `a code under noise opens it, too`() {
        var feed = Feed()
        for seed: UInt64 in 0..<20 { _ = feed.judge(Self.scene.withNoise(sigma: 8, seed: seed)) }
        var frame = Self.scene
        frame.addModules(x: 240, y: 160, side: 48)
        #expect(feed.judge(frame.withNoise(sigma: 8, seed: 99)) == .read)
    }

    @Test func `light switched on opens it`() {
        var feed = Feed()
        feed.settle(Self.scene)
        var frame = Self.scene
        for index in frame.pixels.indices { frame.pixels[index] = UInt8(Int(frame.pixels[index]) * 3 / 2) }
        #expect(feed.judge(frame) == .read)
    }

    @Test func `it stays open while a sighting is pending`() {
        var feed = Feed()
        feed.settle(Self.scene)
        feed.gate.isPending = true
        #expect((0..<20).allSatisfy { _ in feed.judge(Self.scene) == .read })
        feed.gate.isPending = false
        #expect(feed.judge(Self.scene) == .unchanged)
    }

    @Test func `thorough reading looks at the still picture again`() {
        var feed = Feed()
        feed.settle(Self.scene)
        feed.gate.effort = .thorough
        #expect((0..<feed.gate.limits.settleReadsThorough).allSatisfy { _ in feed.judge(Self.scene) == .read })
        #expect(feed.judge(Self.scene) == .unchanged)
    }

    @Test func `frames that no worker had time to read don't close it`() {
        var gate = ChangeGate()
        let signature = Self.scene.signature
        for frame in 0..<100 {
            #expect(gate.judge(signature, at: .zero.advanced(by: .milliseconds(10 * frame))) == .read)
        }
    }

    @Test(arguments: [0.0, 3.0, 6.0])
    func `an empty scene is blank except for the refresh`(sigma: Double) {
        var feed = Feed()
        var verdicts: [ChangeGate.Verdict] = []
        var picture = TestPicture(width: 320, height: 240)
        for y in 0..<240 {
            for x in 0..<320 { picture[x, y] = UInt8(120 + x / 10 + y / 20) }
        }
        for seed: UInt64 in 0..<30 {
            verdicts.append(feed.judge(picture.withNoise(sigma: sigma, seed: seed)))
        }
        #expect(verdicts.first == .read, "the first frame, because nothing was read for longer than the refresh")
        #expect(verdicts.dropFirst().count { $0 != .blank } <= 1, "the refresh")
    }

    @Test(arguments: [12, 25, 60])
    func `a code of little contrast is not blank`(contrast: Int) {
        var feed = Feed()
        feed.settle(TestPicture(width: 320, height: 240, fill: 140))
        var picture = TestPicture(width: 320, height: 240, fill: 140)
        for row in 0..<64 {
            for column in 0..<64 where (row / 4 + column / 4) % 2 == 0 {
                picture[100 + column, 100 + row] = UInt8(140 - contrast)
            }
        }
        #expect(feed.judge(picture.withNoise(sigma: 1, seed: 1)) != .blank)
    }

    @Test func `pictures smaller than a cell are judged, too`() {
        var feed = Feed()
        #expect(feed.judge(TestPicture(width: 5, height: 3)) == .read)
        #expect(feed.judge(TestPicture(width: 5, height: 3)) == .blank)
    }
}
