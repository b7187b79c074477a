import Station
import Testing
import Vocabulary

@Suite("Camera watch")
struct CameraWatchTests {
    private var watch = CameraWatch(patience: .seconds(10), hangLimit: .seconds(30))
    private static let failure = CameraFailure.unavailable(.stoppedDelivering(lastFrameAgo: .seconds(2)))

    @Test("A slow call isn't reported")
    mutating func patience() {
        for seconds in [nil, 1, 10] as [Int?] {
            #expect(watch.handle(.looked(blockedFor: seconds.map { .seconds($0) })) == [])
        }
    }

    @Test("A call that hangs is reported once, and so is its return")
    mutating func told() {
        #expect(watch.handle(.looked(blockedFor: .seconds(11))) == [.tellBlocked(for: .seconds(11))])
        #expect(watch.handle(.looked(blockedFor: .seconds(29))) == [])
        #expect(watch.isBlocked)
        #expect(watch.handle(.looked(blockedFor: nil)) == [.tellItAnswers])
        #expect(watch.handle(.looked(blockedFor: .seconds(12))) == [.tellBlocked(for: .seconds(12))])
    }

    @Test("Beyond the limit it is given up, once, and never before it was reported")
    mutating func givenUp() {
        #expect(watch.handle(.looked(blockedFor: .seconds(4000))) == [.tellBlocked(for: .seconds(4000))])
        #expect(watch.handle(.looked(blockedFor: .seconds(4001))) == [.giveUp(.blocked(for: .seconds(4001)))])
        #expect(watch.handle(.looked(blockedFor: .seconds(4002))) == [])
        #expect(watch.handle(.looked(blockedFor: nil)) == [])
    }

    @Test("Without a limit it is reported and waited for")
    mutating func never() {
        watch.hangLimit = nil
        _ = watch.handle(.looked(blockedFor: .seconds(11)))
        #expect(watch.handle(.looked(blockedFor: .seconds(90_000))) == [])
        _ = watch.handle(.delivered)
        #expect(watch.handle(.recoveryExhausted(Self.failure)) == [.tellExhausted(Self.failure)])
    }

    @Test("An exhausted recovery is given up if a camera has worked, and only reported if none ever did")
    mutating func exhausted() {
        #expect(watch.handle(.recoveryExhausted(Self.failure)) == [.tellExhausted(Self.failure)])
        #expect(watch.handle(.delivered) == [])
        #expect(watch.handle(.recoveryExhausted(Self.failure)) == [.giveUp(.exhausted(Self.failure))])
    }
}
