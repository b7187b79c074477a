import Testing
import Vocabulary

@testable import ScanCore

@Suite("The buzzer that follows the aim")
struct AimMachineTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private static let view = AimMachine.View(frame: FrameSize(width: 1280, height: 720), viewport: .full)
    private static let middle = AimMachine.View(
        frame: FrameSize(width: 1280, height: 720),
        viewport: Viewport(rect: Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)))
    private var machine = AimMachine()

    private func at(_ milliseconds: Int64) -> Instant { Self.start.advanced(by: .milliseconds(milliseconds)) }

    /// Of a picture long after any code was read.
    private static func figure(_ sharpness: Double?, _ showsCode: Bool, _ view: AimMachine.View) -> AimMachine.Event {
        .figure(sharpness: sharpness, showsCode: showsCode, exposedAt: start, view)
    }

    @discardableResult
    private mutating func send(_ event: AimMachine.Event, _ milliseconds: Int64) -> [AimMachine.Action] {
        machine.handle(event, at: at(milliseconds))
    }

    /// How often it beeps in ten seconds of pictures with this figure, ten a second.
    private mutating func beeps(_ sharpness: Double) -> Int {
        machine = AimMachine()
        var count = 0
        send(.on, 0)
        // The best so far; too old by the time that counts.
        send(Self.figure(0.8, true, Self.view), 0)
        for millisecond in stride(from: Int64(10_000), to: 20_000, by: 10) {
            let event: AimMachine.Event =
                millisecond % 100 == 0 ? Self.figure(sharpness, true, Self.view) : .tick
            count += send(event, millisecond).count { $0 == .beep }
        }
        return count
    }

    @Test("The sharper, the quicker: from a beep in a second and a half to more than six a second")
    mutating func pace() {
        let counts = [0.1, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8].map { beeps($0) }
        #expect(counts.first == 7)
        #expect(counts.last == 67)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(Set(counts).count > 5)
    }

    @Test("Nothing in view, or no picture for a while: silence")
    mutating func silence() {
        send(.on, 0)
        #expect(send(Self.figure(nil, true, Self.view), 100).contains(.beep) == false)
        #expect(send(Self.figure(0, false, Self.view), 200).contains(.beep) == false)
        #expect(send(Self.figure(0.8, true, Self.view), 300).contains(.beep))
        #expect(send(.tick, 450).contains(.beep))
        #expect(send(.tick, 1900).contains(.beep) == false, "the picture is too old")
    }

    @Test("The best is that of pictures with a code: a table with sharper edges says nothing, and sets nothing")
    mutating func best() {
        send(.on, 0)
        send(Self.figure(0.9, false, Self.view), 0)
        #expect(machine.share == 0, "no code yet")
        send(Self.figure(0.6, true, Self.view), 100)
        #expect(machine.share == 1)
        send(Self.figure(0.3, false, Self.view), 200)
        #expect(machine.share == 0.5)
        send(Self.figure(0.9, false, Self.view), 300)
        #expect(machine.share == nil)
        send(Self.figure(0.3, true, Self.view), 400)
        #expect(machine.share == 0.5)
        send(.on, 500)
        send(Self.figure(0.3, true, Self.view), 500)
        #expect(machine.share == 0.5, "asked for more time, not to begin again")
        send(.changed, 600)
        #expect(machine.share == nil)
        send(Self.figure(0.3, true, Self.view), 700)
        #expect(machine.share == 1, "another camera has another best")
        send(Self.figure(0.15, true, Self.middle), 750)
        #expect(machine.share == 1, "another viewport has another best")
        send(.off, 800)
        send(.on, 900)
        send(Self.figure(0.2, true, Self.view), 1000)
        #expect(machine.share == 1, "begun again")
    }

    @Test("It ends when it is told to, and by itself; while it is off, nothing is looked at and nothing beeps")
    mutating func end() {
        #expect(send(Self.figure(0.8, true, Self.view), 0) == [])
        #expect(send(.on, 0) == [.look(true), .wakeAt(at(120_000))])
        #expect(send(.on, 60_000) == [.wakeAt(at(180_000))], "asked once more, it lasts longer")
        #expect(send(.tick, 180_000) == [.look(false), .wakeAt(nil)])
        #expect(!machine.isOn)
        send(.on, 200_000)
        #expect(send(.off, 200_500) == [.look(false), .wakeAt(nil)])
        #expect(send(.off, 200_600) == [])
    }

    @Test("A code that was read counts as in view for half a second, so that a late result isn't an empty table")
    mutating func codeRead() {
        send(.on, 0)
        send(.codeRead(at(100)), 150)
        send(.figure(sharpness: 0.6, showsCode: false, exposedAt: at(600), Self.view), 610)
        #expect(machine.share == 1)
        send(.figure(sharpness: 0.9, showsCode: false, exposedAt: at(601), Self.view), 620)
        #expect(machine.share == nil, "too long ago: sharper than any code was, and none in it")
    }

    @Test("A camera that rests gives a picture to somebody who wants to look, unless the station is paused")
    func pictures() {
        for state in [CameraState.running, .available, .systemPressure(.heat)] {
            #expect(state.promisesPicture(isOnPause: true))
        }
        for state in [CameraState.notLoaded, .suspended] {
            #expect(state.promisesPicture(isOnPause: false) && !state.promisesPicture(isOnPause: true))
        }
        for state in [CameraState.permissionDenied, .inUse, .unavailable(.disconnected)] {
            #expect(!state.promisesPicture(isOnPause: false))
        }
    }
}
