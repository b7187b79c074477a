import ScanCore
import Testing
import Vocabulary

/// When a person is told why a code isn't read.
@Suite("Codes that stay unread")
struct UnreadMachineTests {
    private var machine = UnreadMachine()
    private var sequence: UInt64 = 0

    private static func place(x: Double, y: Double = 0.4, size: Double = 0.2) -> Quad {
        Quad(
            Point(x: x, y: y), Point(x: x + size, y: y), Point(x: x + size, y: y + size), Point(x: x, y: y + size))
    }

    private static func code(
        _ cause: UnreadCause = .tooSmall, x: Double = 0.2, figure: Double? = 1.1, moduleWidth: Double? = 1.1
    ) -> UnreadCode {
        UnreadCode(
            corners: place(x: x), kind: .linear, moduleWidth: moduleWidth, cause: cause, figure: figure)
    }

    /// - Returns: what is told, by cause; `nil`: nothing new.
    private mutating func handle(
        _ outcome: ReadResult.Outcome, at milliseconds: Int, symbols: [Symbol] = [], unread: [UnreadCode] = [],
        exposure: Int32? = nil
    ) -> [UnreadCause]? {
        sequence += 1
        let moment = Instant.zero.advanced(by: .milliseconds(milliseconds))
        let frame = FrameInfo(
            sequence: sequence, exposedAt: moment, deliveredAt: moment, exposureMicroseconds: exposure)
        return told(
            machine.handle(
                .result(
                    ReadResult(
                        frame: frame, outcome: outcome, symbols: symbols, unread: unread,
                        size: FrameSize(width: 1000, height: 1000)))))
    }

    private func told(_ actions: [UnreadMachine.Action]) -> [UnreadCause]? {
        #expect(actions.count <= 1)
        guard case .tell(let codes)? = actions.first else { return nil }
        return codes.map(\.cause)
    }

    private static func symbol(x: Double) -> Symbol {
        Symbol(symbology: .ean13, bytes: [65], text: "A", corners: place(x: x))
    }

    @Test("a place is told once it has stayed unread for a while, and only once") mutating func patience() {
        #expect(handle(.diagnosed, at: 0, unread: [Self.code()]) == nil)
        #expect(machine.likeliest?.cause == .tooSmall, "a session that ends now still has a reason")
        #expect(handle(.unchanged, at: 600) == nil)
        #expect(handle(.unchanged, at: 700) == [.tooSmall])
        #expect(handle(.unchanged, at: 800) == nil)
        #expect(handle(.diagnosed, at: 1200, unread: [Self.code()]) == nil)
    }

    @Test("one that is read meanwhile isn't told; one that is read later is over") mutating func read() {
        _ = handle(.diagnosed, at: 0, unread: [Self.code()])
        #expect(handle(.decoded, at: 300, symbols: [Self.symbol(x: 0.21)]) == nil)
        #expect(handle(.unchanged, at: 900) == nil)
        #expect(handle(.diagnosed, at: 1000, unread: [Self.code()]) == nil)
        #expect(handle(.unchanged, at: 1800) == nil, "it was read a moment ago; that frame wasn't the diagnosed one")
        // Nothing reads it any more.
        _ = handle(.diagnosed, at: 2600, unread: [Self.code()])
        #expect(handle(.unchanged, at: 3400) == [.tooSmall])
        #expect(handle(.climbed, at: 3500, symbols: [Self.symbol(x: 0.21)]) == [])
        #expect(machine.likeliest == nil)
    }

    @Test("a code elsewhere doesn't end it") mutating func elsewhere() {
        _ = handle(.diagnosed, at: 0, unread: [Self.code()])
        #expect(handle(.decoded, at: 700, symbols: [Self.symbol(x: 0.7)]) == [.tooSmall])
    }

    @Test("it is over when two diagnoses don't show it, when the view is blank, and when nobody looks")
    mutating func gone() {
        _ = handle(.diagnosed, at: 0, unread: [Self.code()])
        #expect(handle(.unchanged, at: 800) == [.tooSmall])
        #expect(handle(.diagnosed, at: 1000) == nil, "one diagnosis may miss it")
        #expect(handle(.diagnosed, at: 1500) == [])
        _ = handle(.diagnosed, at: 2000, unread: [Self.code()])
        #expect(handle(.decoded, at: 2800) == [.tooSmall])
        #expect(handle(.blank, at: 2900) == [])
        _ = handle(.diagnosed, at: 4000, unread: [Self.code()])
        #expect(handle(.decoded, at: 4800) == [.tooSmall])
        #expect(told(machine.handle(.stopped(at: Instant.zero.advanced(by: .milliseconds(5000))))) == [])
        // What was exposed before, and comes in late, is over, too.
        #expect(handle(.diagnosed, at: 4900, unread: [Self.code()]) == nil)
        #expect(handle(.decoded, at: 6000) == nil && machine.likeliest == nil)
    }

    @Test("what the latest diagnosis doesn't show isn't told: a code that was on its way and has been read elsewhere")
    mutating func onItsWay() {
        _ = handle(.diagnosed, at: 0, unread: [Self.code(.blurred, x: 0.1)])
        #expect(handle(.decoded, at: 300, symbols: [Self.symbol(x: 0.6)]) == nil)
        #expect(handle(.diagnosed, at: 500) == nil)
        #expect(handle(.unchanged, at: 900) == nil)
        #expect(machine.likeliest == nil)
        #expect(handle(.diagnosed, at: 1000) == nil)
    }

    @Test("a new code beside a known one takes neither its place nor its time") mutating func neighbour() {
        let known = Self.code(.glare, x: 0.6)
        _ = handle(.diagnosed, at: 0, unread: [known], exposure: 8000)
        _ = handle(.diagnosed, at: 500, unread: [Self.code(.blurred, x: 0.3), known], exposure: 8000)
        #expect(handle(.unchanged, at: 800) == [.glare])
        #expect(handle(.unchanged, at: 1200) == [.blurred, .glare], "blurred, and not moving")
    }

    @Test("two that change their order are no news") mutating func steady() {
        let (left, right) = (Self.code(.glare, x: 0.1), Self.code(.tooDark, x: 0.6))
        _ = handle(.diagnosed, at: 0, unread: [left, right])
        #expect(handle(.unchanged, at: 800) == [.glare, .tooDark])
        #expect(handle(.diagnosed, at: 1000, unread: [right, left]) == nil)
        #expect(machine.told.map(\.cause) == [.tooDark, .glare])
    }

    @Test("a dark picture may be blank; a code's place may not") mutating func blank() {
        let dark = UnreadCode(corners: Self.place(x: 0, y: 0, size: 1), kind: .picture, cause: .tooDark, figure: 9)
        _ = handle(.diagnosed, at: 0, unread: [dark])
        #expect(handle(.blank, at: 400) == nil)
        #expect(handle(.blank, at: 800) == [.tooDark])
        #expect(handle(.decoded, at: 900, symbols: [Self.symbol(x: 0.3)]) == [], "something in it can be read")
    }

    @Test("another reason is told when two diagnoses in a row give it") mutating func otherReason() {
        _ = handle(.diagnosed, at: 0, unread: [Self.code()])
        _ = handle(.unchanged, at: 700)
        #expect(handle(.diagnosed, at: 1200, unread: [Self.code(.glare)]) == nil)
        #expect(handle(.diagnosed, at: 1700, unread: [Self.code()]) == nil)
        #expect(handle(.diagnosed, at: 2200, unread: [Self.code(.glare)]) == nil)
        #expect(handle(.diagnosed, at: 2700, unread: [Self.code(.glare)]) == [.glare])
    }

    /// It goes 100 pixels in half a second: 200 a second.
    @Test("what moves far during an exposure is moving, not blurred", arguments: [(5000, false), (20_000, true)])
    mutating func moving(exposure: Int32, isMoving: Bool) {
        _ = handle(.diagnosed, at: 0, unread: [Self.code(.blurred, x: 0.2)], exposure: exposure)
        _ = handle(.diagnosed, at: 500, unread: [Self.code(.blurred, x: 0.3)], exposure: exposure)
        let cause: UnreadCause = isMoving ? .moving : .blurred
        #expect(handle(.diagnosed, at: 1000, unread: [Self.code(.blurred, x: 0.4)], exposure: exposure) == [cause])
        if isMoving { #expect(machine.told.first?.figure.map { abs($0 - 4) < 0.01 } == true) }
    }

    @Test("what is read outside the viewport is told, too") mutating func outside() {
        let outside = UnreadCode(
            corners: Self.place(x: 0.8), kind: .linear, cause: .outsideViewport, symbology: .ean13)
        _ = handle(.decoded, at: 0, unread: [outside])
        #expect(handle(.decoded, at: 700, unread: [outside]) == [.outsideViewport])
        #expect(handle(.decoded, at: 2000) == nil)
        #expect(handle(.decoded, at: 2300) == [], "nobody has read it for a while")
    }

    @Test("a code that comes in through the margin isn't told") mutating func passing() {
        let outside = UnreadCode(
            corners: Self.place(x: 0.8), kind: .linear, cause: .outsideViewport, symbology: .ean13)
        _ = handle(.decoded, at: 0, unread: [outside])
        #expect(handle(.decoded, at: 800) == nil, "one glimpse isn't enough")
        _ = handle(.decoded, at: 900, symbols: [Self.symbol(x: 0.4)])
        #expect(handle(.decoded, at: 1000, unread: [outside]) == nil, "it begins again once it was read inside")
    }

    @Test("the likeliest of the latest diagnosis comes first") mutating func order() {
        _ = handle(.diagnosed, at: 0, unread: [Self.code(.glare, x: 0.1), Self.code(.tooDark, x: 0.6)])
        #expect(
            handle(.diagnosed, at: 800, unread: [Self.code(.tooDark, x: 0.6), Self.code(.glare, x: 0.1)])
                == [.tooDark, .glare])
    }

    @Test("however many places there are, only a few are followed") mutating func storm() {
        for round in 0..<20 {
            let codes = (0..<8).map { index in
                UnreadCode(
                    corners: Self.place(x: Double(index) / 8, y: Double(round) / 20, size: 0.01), kind: .matrix,
                    cause: .damaged)
            }
            _ = handle(.diagnosed, at: round * 500, unread: codes)
        }
        #expect(machine.told.count <= UnreadMachine.Limits().maxPlaces)
    }
}
