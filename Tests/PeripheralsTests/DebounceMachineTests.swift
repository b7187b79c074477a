import Peripherals
import Testing
import Vocabulary

@Suite struct DebounceMachineTests {
    static func at(_ milliseconds: Int) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    /// A button on a line whose edges bounce, as with libgpiod 1.x.
    static func bouncing(debounce: Duration = .milliseconds(10), isActive: Bool = false) -> DebounceMachine {
        var machine = DebounceMachine(debounce: debounce)
        _ = machine.handle(.opened(isActive: isActive, isDebounced: false), at: .zero)
        return machine
    }

    @Test func aBurstOfEdgesIsOnePressAtItsFirstEdge() {
        var button = Self.bouncing()
        for (instant, level) in [(100, true), (101, false), (103, true), (104, false), (105, true)] {
            #expect(button.handle(.edge(isActive: level), at: Self.at(instant)) == [])
        }
        #expect(button.wakeAt == Self.at(115))
        #expect(button.handle(.tick, at: Self.at(114)) == [])
        #expect(button.handle(.tick, at: Self.at(115)) == [.readLevel])
        #expect(
            button.handle(.level(isActive: true), at: Self.at(115)) == [.changed(isPressed: true, at: Self.at(100))])
        #expect(button.isPressed)
        #expect(button.wakeAt == nil)
    }

    @Test func aGlitchThatEndsWhereItBeganIsNothing() {
        var button = Self.bouncing()
        _ = button.handle(.edge(isActive: true), at: Self.at(100))
        _ = button.handle(.edge(isActive: false), at: Self.at(101))
        #expect(button.handle(.tick, at: Self.at(111)) == [.readLevel])
        #expect(button.handle(.level(isActive: false), at: Self.at(111)) == [])
        #expect(!button.isPressed)
    }

    @Test func theLevelThatIsReadCountsEvenIfTheLastEdgeWasMissed() {
        var button = Self.bouncing()
        _ = button.handle(.edge(isActive: false), at: Self.at(100))
        _ = button.handle(.tick, at: Self.at(110))
        #expect(
            button.handle(.level(isActive: true), at: Self.at(110)) == [.changed(isPressed: true, at: Self.at(100))])
    }

    @Test func anEdgeDuringTheReadingRestartsTheQuietTime() {
        var button = Self.bouncing()
        _ = button.handle(.edge(isActive: true), at: Self.at(100))
        _ = button.handle(.tick, at: Self.at(110))
        _ = button.handle(.edge(isActive: false), at: Self.at(110))
        #expect(button.handle(.level(isActive: true), at: Self.at(110)) == [])
        #expect(button.wakeAt == Self.at(120))
    }

    @Test(arguments: [(Duration.zero, false), (.milliseconds(10), true)])
    func edgesThatCannotBounceCountAtOnce(debounce: Duration, kernelDebounces: Bool) {
        var button = DebounceMachine(debounce: debounce)
        _ = button.handle(.opened(isActive: false, isDebounced: kernelDebounces), at: .zero)
        #expect(button.handle(.edge(isActive: true), at: Self.at(5)) == [.changed(isPressed: true, at: Self.at(5))])
        #expect(button.handle(.edge(isActive: true), at: Self.at(6)) == [], "no press without a release between")
        #expect(button.handle(.edge(isActive: false), at: Self.at(7)) == [.changed(isPressed: false, at: Self.at(7))])
    }

    @Test func aButtonHeldAtTheStartIsNoPress() {
        var button = Self.bouncing(isActive: true)
        #expect(button.isPressed)
        _ = button.handle(.edge(isActive: false), at: Self.at(100))
        _ = button.handle(.tick, at: Self.at(110))
        #expect(
            button.handle(.level(isActive: false), at: Self.at(110)) == [.changed(isPressed: false, at: Self.at(100))])
    }

    @Test func aPressedButtonWhoseLineGoesAwayIsReleased() {
        var button = Self.bouncing(isActive: true)
        #expect(button.handle(.lineLost, at: Self.at(50)) == [.changed(isPressed: false, at: Self.at(50))])
        #expect(button.handle(.lineLost, at: Self.at(51)) == [])
    }

    @Test func whatWasBouncingWhenTheLineWentIsForgotten() {
        var button = Self.bouncing()
        _ = button.handle(.edge(isActive: true), at: Self.at(100))
        _ = button.handle(.lineLost, at: Self.at(101))
        #expect(button.wakeAt == nil)
        #expect(button.handle(.tick, at: Self.at(200)) == [])
    }
}
