import Testing
import Vocabulary

@testable import ScanCore

@Suite("How long frames are read for people who aim")
struct LookLeaseTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private var lease = LookLease()

    private func at(_ seconds: Double) -> Instant { Self.start.advanced(by: .seconds(seconds)) }

    private mutating func send(_ event: LookLease.Event, _ seconds: Double) -> [LookLease.Action] {
        lease.handle(event, at: at(seconds))
    }

    @Test("Ten seconds from the latest request, no longer")
    mutating func requests() {
        #expect(send(.asked, 0) == [.look(true), .wakeAt(at(10))])
        #expect(send(.asked, 3) == [.wakeAt(at(13))])
        #expect(send(.tick, 10) == [])
        #expect(send(.tick, 13) == [.look(false), .wakeAt(nil)])
        #expect(send(.tick, 14) == [])
        #expect(send(.asked, 20) == [.look(true), .wakeAt(at(30))])
    }

    @Test("While the buzzer follows the sharpness, whatever pages do")
    mutating func buzzer() {
        #expect(send(.buzzer(true), 0) == [.look(true)])
        #expect(send(.asked, 1) == [.wakeAt(at(11))])
        #expect(send(.asked, 3) == [.wakeAt(at(13))])
        #expect(send(.buzzer(false), 4) == [])
        #expect(send(.tick, 13) == [.look(false), .wakeAt(nil)])
    }
}
