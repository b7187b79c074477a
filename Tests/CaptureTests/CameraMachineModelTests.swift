import Capture
import Testing
import Vocabulary

/// Random events against a model of the device: whatever happens, the machine never asks for something illegal, never
/// forgets a timer it needs, and ends up where it was told to go.
@Suite struct CameraMachineModelTests {
    enum Device { case closed, open, running }

    /// A device that answers, and fails now and then.
    struct World {
        var machine = CameraMachine()
        var device = Device.closed
        var now = Instant.zero
        var wake: Instant?
        var random: Generator
        var failureRate: UInt64
        var runs = 0
        var openRun: UInt64?

        mutating func send(_ event: CameraMachine.Event) {
            var queue = [event]
            while !queue.isEmpty {
                if case .wake = queue[0] { wake = nil }
                for action in machine.handle(queue.removeFirst(), at: now) { perform(action, &queue) }
            }
        }

        private mutating func perform(_ action: CameraMachine.Action, _ queue: inout [CameraMachine.Event]) {
            let fails = random.next() % 100 < failureRate
            switch action {
            case .open:
                #expect(device == .closed)
                if !fails { device = .open }
                queue.append(fails ? .openFailed(.inUse(detail: "x")) : .opened)
            case .close:
                #expect(device == .open)
                device = .closed
            case .startDevice:
                #expect(device == .open)
                if !fails { device = .running }
                queue.append(fails ? .startFailed(.unavailable(.cannotBeAcquired(detail: "x"))) : .started)
            case .stopDevice:
                #expect(device == .running)
                device = .open
            case .runStarted(let id):
                #expect(openRun == nil)
                openRun = id
            case .runEnded(let id, _):
                #expect(openRun == id)
                openRun = nil
            case .wakeAt(let instant): wake = instant
            case .reduceFrameRate, .report, .interrupted, .interruptionEnded, .recoveryExhausted: break
            }
        }

        /// Time goes on to the next wake; a running camera delivers.
        mutating func tick() {
            guard let wake else { return }
            now = max(now, wake)
            send(.wake(lastFrame: device == .running ? now : nil))
            if device == .running { send(.firstFrame) }
        }
    }

    struct Generator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }

    static let events: [CameraMachine.Event] = [
        .load, .start, .stop, .suspend, .resume, .reconfigure, .fault("x"), .disconnected, .cameraAdded, .sceneEnded,
        .firstFrame, .pressure(.heat), .pressure(nil), .frameTimeout(.seconds(3)), .shutdown,
    ]

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `no sequence of events leads to an illegal request`(seed: UInt64) {
        var world = World(random: Generator(state: seed), failureRate: 25)
        for _ in 0..<400 {
            if world.random.next() % 3 == 0 {
                world.tick()
            } else {
                world.send(Self.events[Int(world.random.next()) % Self.events.count])
            }
            #expect((world.machine.run != nil) == (world.device == .running))
        }
        // With the faults gone, it gets where it is wanted.
        world.failureRate = 0
        for event: CameraMachine.Event in [.resume, .pressure(nil), .start] { world.send(event) }
        for _ in 0..<50 { world.tick() }
        #expect(world.device == .running)
        #expect(world.machine.state == .running)
        world.send(.shutdown)
        #expect(world.device == .closed)
        #expect(world.machine.state == .notLoaded)
        #expect(world.wake == nil)
    }
}
