import Synchronization
import Testing
import Vocabulary

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct OrderedObserversTests {
    @Test func whatASlowReaderMissedIsCountedBeforeWhatIsLeft() async {
        let notices = PeripheralNotices()
        let stream = notices.stream()
        for number in 0..<PeripheralNotices.streamLimit + 3 { notices.post(.lost(.torch, message: "\(number)")) }
        #expect(await first(2, of: stream) == [.missed(3), .lost(.torch, message: "3")])
        // Counted once.
        #expect(await first(1, of: stream) == [.lost(.torch, message: "4")])
    }

    @Test func aStreamWithoutMissesEndsWithItsSource() async {
        var notices: PeripheralNotices? = PeripheralNotices()
        let stream = notices?.stream()
        notices?.post(.recovered(.relay))
        notices = nil
        var seen: [PeripheralNotice] = []
        if let stream { for await notice in stream { seen.append(notice) } }
        #expect(seen == [.recovered(.relay)])
    }

    @Test func anObserverMayCancelItselfAndIsNotCalledAgain() {
        let observers = OrderedObservers<Int>()
        let own = Mutex<ObserverToken?>(nil)
        let seen = Mutex<[Int]>([])
        let token = observers.add { value in
            seen.withLock { $0.append(value) }
            if let token = own.withLock({ $0 }) { observers.cancel(token) }
        }
        own.withLock { $0 = token }
        observers.post(1)
        observers.post(2)
        #expect(seen.withLock { $0 } == [1])
    }

    @Test func oneThatIsCancelledByAnEarlierObserverIsNotCalledAnyMore() {
        let observers = OrderedObservers<Int>()
        let second = Mutex<ObserverToken?>(nil)
        let seen = Mutex<[String]>([])
        _ = observers.add { _ in
            seen.withLock { $0.append("first") }
            if let token = second.withLock({ $0 }) { observers.cancel(token) }
        }
        let token = observers.add { _ in seen.withLock { $0.append("second") } }
        second.withLock { $0 = token }
        observers.post(1)
        #expect(seen.withLock { $0 } == ["first"])
    }

    @Test func noticesFromManyThreadsReachEveryoneInOneOrder() async {
        let observers = OrderedObservers<Int>()
        let first = Mutex<[Int]>([])
        let second = Mutex<[Int]>([])
        _ = observers.add { value in first.withLock { $0.append(value) } }
        _ = observers.add { value in second.withLock { $0.append(value) } }
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { for index in 0..<250 { observers.post(task * 1000 + index) } }
            }
        }
        #expect(first.withLock { $0.count } == 1000)
        #expect(first.withLock { $0 } == second.withLock { $0 })
    }

    @Test func aSlowStreamKeepsTheNewest() async {
        let observers = OrderedObservers<Int>()
        let stream = observers.stream(limit: 3)
        for value in 1...10 { observers.post(value) }
        #expect(await first(3, of: stream) == [8, 9, 10])
    }
}
