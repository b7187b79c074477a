import TestSupport
import Testing
import Vocabulary

@testable import ScanCore

@Suite("Readiness")
struct ReadinessMachineTests {
    private var machine = ReadinessMachine()

    private static let gone = CameraState.unavailable(.disconnected)

    private mutating func handle(_ events: ReadinessMachine.Event...) -> [ReadinessMachine.Action] {
        events.flatMap { machine.handle($0) }
    }

    @Test("Ready is a camera that delivers and a journal that keeps; it is heard once")
    mutating func ready() {
        #expect(handle(.camera(.running)) == [.tell(.running)])
        #expect(handle(.delivered) == [])
        #expect(handle(.keeping(true)) == [.ready(true), .playReady])
        #expect(handle(.delivered) == [], "it is ready already")
        #expect(handle(.keeping(false)) == [.ready(false)])
        #expect(handle(.keeping(true)) == [.ready(true)])
    }

    @Test("A run that ends is the end of it, unless the camera rests between sessions")
    mutating func runs() {
        _ = handle(.keeping(true), .delivered)
        #expect(handle(.runEnded(isResting: true)) == [])
        #expect(handle(.runEnded(isResting: false)) == [.ready(false)])
        #expect(handle(.runEnded(isResting: true)) == [.ready(true)])
    }

    @Test(
        "A camera that is lost is reported, heard with advice, and ends the session, in this order",
        arguments: [CameraState.permissionDenied, .inUse, gone])
    mutating func lost(state: CameraState) {
        _ = handle(.keeping(true), .camera(.running), .delivered)
        #expect(handle(.camera(state)) == [.tell(state), .ready(false), .complain(state), .cameraLost])
        #expect(machine.isCameraLost)
        #expect(handle(.camera(state)) == [])
    }

    @Test("One loss is heard once, whatever the camera goes through before it runs again")
    mutating func oneLoss() {
        #expect(handle(.camera(.inUse)) == [.tell(.inUse), .complain(.inUse), .cameraLost])
        #expect(handle(.camera(Self.gone)) == [.tell(Self.gone)])
        #expect(handle(.camera(.notLoaded)) == [.tell(.notLoaded)], "it may be on its way, and isn't back")
        #expect(machine.isCameraLost)
        #expect(handle(.camera(.available)) == [.tell(.available), .cameraBack])
        #expect(handle(.camera(.inUse)) == [.tell(.inUse), .cameraLost])
        #expect(handle(.camera(.running)) == [.tell(.running), .cameraBack])
        #expect(handle(.camera(.inUse)) == [.tell(.inUse), .complain(.inUse), .cameraLost])
    }

    @Test(
        "A camera that was lost is back once frames come, or will for a session",
        arguments: [
            (CameraState.running, true), (.available, true), (.systemPressure(.heat), true), (.suspended, false),
            (.notLoaded, false), (.permissionDenied, false),
        ])
    mutating func back(state: CameraState, isBack: Bool) {
        _ = handle(.camera(.inUse))
        #expect(handle(.camera(state)) == [.tell(state)] + (isBack ? [.cameraBack] : []))
        #expect(machine.isCameraLost == !isBack)
    }

    @Test("A pause is no loss, and neither is heat", arguments: [CameraState.suspended, .systemPressure(.heat)])
    mutating func noLoss(state: CameraState) {
        _ = handle(.camera(.running))
        #expect(handle(.camera(state)) == [.tell(state)])
        #expect(!machine.isCameraLost)
    }

    // MARK: Every sequence

    private static let events: [ReadinessMachine.Event] =
        [.notLoaded, .available, .running, .inUse, gone, .suspended, .systemPressure(.heat)].map { .camera($0) }
        + [.delivered, .runEnded(isResting: false), .runEnded(isResting: true), .keeping(true), .keeping(false)]

    private struct Model {
        var machine = ReadinessMachine()
        var isReady = false
        var wasHeard = false
        var isKeeping = false
        var isLost = false
        /// The loss that is under way was heard.
        var isHeard = false

        mutating func tell(_ event: ReadinessMachine.Event) {
            if case .keeping(let isKeeping) = event { self.isKeeping = isKeeping }
            for action in machine.handle(event) {
                switch action {
                case .tell(let state):
                    demand(event == .camera(state))
                    if state == .running { isHeard = false }
                case .ready(let isNow):
                    demand(isNow != isReady)
                    isReady = isNow
                case .playReady:
                    demand(isReady && !wasHeard)
                    wasHeard = true
                case .complain(let state):
                    demand(state.isTrouble && !isHeard)
                    isHeard = true
                case .cameraLost:
                    demand(!isLost && isHeard)
                    isLost = true
                case .cameraBack:
                    demand(isLost)
                    isLost = false
                }
            }
            demand(!isReady || isKeeping)
            demand(!isReady || wasHeard)
            demand(machine.isCameraLost == isLost)
            let state = machine.camera
            demand(!state.isTrouble || isLost && isHeard)
            demand(state != .running || !isLost)
        }
    }

    @Test("Every sequence of five events: never ready without a journal, one error cue a loss, lost and back in turns")
    func everySequence() {
        func walk(_ model: Model, _ depth: Int) {
            guard depth > 0 else { return }
            for event in Self.events {
                var next = model
                next.tell(event)
                walk(next, depth - 1)
            }
        }
        walk(Model(), 5)
    }

    @Test("The same for long ones", arguments: 1...20 as ClosedRange<UInt64>)
    func longSequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model = Model()
        for _ in 0..<500 {
            if let event = Self.events.randomElement(using: &random) { model.tell(event) }
        }
    }
}
