import TestSupport
import Testing

@testable import ScanCore

@Suite("Keeping")
struct KeepingMachineTests {
    /// Waiters and followers are numbers here.
    typealias Machine = KeepingMachine<Int, Int>

    private var machine = Machine()

    private mutating func handle(_ events: Machine.Event...) -> [Machine.Action] {
        events.flatMap { machine.handle($0) }
    }

    @Test("Scans are kept once the journal accepts and knows the outputs, and those who wait hear it then")
    mutating func begins() {
        #expect(handle(.wait(1)) == [])
        #expect(handle(.journal(.accepting)) == [.register])
        #expect(handle(.wait(2)) == [])
        #expect(!machine.isKeeping)
        #expect(handle(.registered(journal: "a")) == [.keeping(true), .resume(1), .resume(2)])
        #expect(machine.isKeeping)
        #expect(handle(.wait(3)) == [.resume(3)])
    }

    @Test("A journal that isn't available decides it, too: reported and heard once, however often its reason changes")
    mutating func refuses() {
        #expect(handle(.asked, .wait(1)) == [], "it is being opened")
        #expect(handle(.journal(.refusing)) == [.resume(1), .cannotKeep])
        #expect(handle(.journal(.refusing), .wait(2)) == [.resume(2)])
        #expect(handle(.asked) == [.cannotKeep])
        #expect(handle(.journal(.accepting), .registered(journal: "a")) == [.register, .keeping(true)])
        #expect(handle(.asked) == [])
        #expect(handle(.journal(.refusing)) == [.keeping(false), .cannotKeep])
    }

    @Test("Outputs that are registered too late, or after the end, begin nothing")
    mutating func late() {
        _ = handle(.journal(.accepting), .journal(.refusing))
        #expect(handle(.registered(journal: "a")) == [])
        _ = handle(.journal(.accepting), .wait(1))
        #expect(handle(.stop) == [.resume(1)])
        #expect(handle(.registered(journal: "a"), .journal(.refusing)) == [])
        #expect(!machine.isKeeping)
    }

    @Test("A journal that takes another's place is reported, the first one and the same one aren't")
    mutating func replaced() {
        _ = handle(.journal(.accepting))
        #expect(handle(.registered(journal: "a")) == [.keeping(true)])
        _ = handle(.journal(.refusing), .journal(.accepting))
        #expect(handle(.registered(journal: "a")) == [.keeping(true)])
        _ = handle(.journal(.refusing), .journal(.accepting))
        #expect(handle(.registered(journal: "b")) == [.replaced("a"), .keeping(true)])
        #expect(handle(.registered(journal: "c")) == [.replaced("b")], "it was asked for twice")
    }

    @Test("What follows a scan is announced after it, and nothing waits without one")
    mutating func followers() {
        _ = handle(.journal(.accepting), .registered(journal: "a"))
        #expect(handle(.follow(1)) == [.tell(1)])
        #expect(handle(.accepted, .follow(2), .accepted, .follow(3), .follow(4)) == [])
        #expect(machine.hasScansUnderWay)
        #expect(handle(.kept(1)) == [.tell(2)])
        #expect(handle(.kept(1)) == [.tell(3), .tell(4)])
        #expect(!machine.hasScansUnderWay)
    }

    @Test("A lost scan is signalled, its followers are announced, and what is in view is read again")
    mutating func lost() {
        _ = handle(.journal(.accepting), .registered(journal: "a"), .accepted, .follow(1), .accepted, .follow(2))
        #expect(handle(.lost(1)) == [.cannotKeep, .tell(1), .readAgain])
        // The journal has said why meanwhile: nothing is read before it is back.
        #expect(handle(.journal(.refusing)) == [.keeping(false), .cannotKeep])
        #expect(handle(.lost(1)) == [.cannotKeep, .tell(2)])
    }

    @Test("What follows scans that were turned away waits for those before them")
    mutating func turnedAway() {
        _ = handle(.journal(.accepting), .registered(journal: "a"), .accepted, .follow(1))
        _ = handle(.accepted, .accepted, .follow(2))
        #expect(handle(.turnedAway(2)) == [.cannotKeep, .readAgain])
        #expect(handle(.kept(1)) == [.tell(1), .tell(2)])
        _ = handle(.accepted, .follow(3))
        #expect(handle(.turnedAway(1)) == [.cannotKeep, .tell(3), .readAgain])
    }

    @Test("After the end scans on their way are still settled")
    mutating func end() {
        _ = handle(.journal(.accepting), .registered(journal: "a"), .accepted, .follow(1), .stop)
        #expect(handle(.wait(1)) == [.resume(1)])
        #expect(handle(.kept(1)) == [.tell(1)])
    }

    // MARK: Every sequence

    /// Checks a machine's actions against what must always hold.
    private struct Model {
        var machine = Machine()
        var isKeeping = false
        var isStopped = false
        var journal = Machine.Journal.unopened
        var lastJournal: String?
        var nextNumber = 1
        var waiting: [Int] = []
        /// Scans under way and followers, in their order: a scan is 0.
        var line: [Int] = []
        var scans: Int { line.count { $0 == 0 } }

        mutating func tell(_ choice: Int) {
            switch choice {
            case 0...2:
                let state = [Machine.Journal.unopened, .accepting, .refusing][choice]
                if !isStopped { journal = state }
                check(.journal(state))
            case 3, 4:
                let id = choice == 3 ? "a" : "b"
                let begins = journal == .accepting && !isStopped
                check(.registered(journal: id), replaces: begins && lastJournal != nil && lastJournal != id)
                if begins { lastJournal = id }
            case 5:
                waiting.append(nextNumber)
                nextNumber += 1
                check(.wait(nextNumber - 1))
            case 6:
                line.append(0)
                check(.accepted)
            case 7:
                line.append(nextNumber)
                nextNumber += 1
                check(.follow(nextNumber - 1), due: scans == 0)
            case 8 where scans > 0:
                settleFirst()
                check(.kept(1), due: true)
            case 9 where scans > 0:
                settleFirst()
                check(.lost(1), due: true, isLoss: true)
            case 10 where scans > 0:
                if let last = line.lastIndex(of: 0) { line.remove(at: last) }
                check(.turnedAway(1), due: true, isLoss: true)
            case 11:
                isStopped = true
                check(.stop)
            default: break
            }
        }

        private mutating func settleFirst() {
            if let first = line.firstIndex(of: 0) { line.remove(at: first) }
        }

        private mutating func check(
            _ event: Machine.Event, replaces: Bool = false, due isDue: Bool = false, isLoss: Bool = false
        ) {
            let actions = machine.handle(event)
            var replaced = false
            var told: [Int] = []
            for action in actions {
                switch action {
                case .register: demand(journal == .accepting && !isKeeping)
                case .replaced(let old):
                    demand(old == lastJournal)
                    replaced = true
                case .keeping(let isNow):
                    demand(isNow != isKeeping)
                    isKeeping = isNow
                case .readAgain: demand(isLoss && isKeeping)
                case .cannotKeep: demand(isLoss || journal == .refusing)
                case .tell(let follower): told.append(follower)
                case .resume(let waiter):
                    demand(waiting.first == waiter)
                    waiting.removeFirst()
                }
            }
            demand(replaced == replaces)
            // Nothing is reported before what it follows, out of order, twice, or too late.
            let due = isDue ? Array(line.prefix { $0 != 0 }) : []
            demand(told == due)
            line.removeFirst(due.count)
            demand(machine.isKeeping == isKeeping)
            demand(!isKeeping || journal == .accepting)
            demand(machine.hasScansUnderWay == (scans > 0))
            // Nobody waits for what is decided.
            if isStopped || isKeeping || machine.isRefusing { demand(waiting == []) }
        }
    }

    @Test("In every sequence of five events, nothing held back is lost or announced early, and nobody waits forever")
    func everySequence() {
        func walk(_ model: Model, _ depth: Int) {
            guard depth > 0 else { return }
            for choice in 0...11 {
                var next = model
                next.tell(choice)
                walk(next, depth - 1)
            }
        }
        walk(Model(), 5)
        // Deeper from where scans are under way.
        var busy = Model()
        for choice in [1, 3, 6, 7, 6, 7] { busy.tell(choice) }
        walk(busy, 4)
    }

    @Test("The same for long ones", arguments: 1...20 as ClosedRange<UInt64>)
    func longSequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model = Model()
        for _ in 0..<500 {
            // The end comes once, late.
            model.tell(Int.random(in: 0...10, using: &random))
        }
        model.tell(11)
        while model.scans > 0 { model.tell(8) }
        #expect(model.line == [])
        #expect(model.waiting == [])
    }
}
