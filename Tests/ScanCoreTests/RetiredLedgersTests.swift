import ScanCore
import Testing
import Vocabulary

@Suite("Answers that are owed after a connection has ended")
struct RetiredLedgersTests {
    private func at(_ seconds: Int) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    private func ledger(_ offers: (String, Int)...) -> OfferLedger {
        var ledger = OfferLedger()
        for (scan, second) in offers { ledger.offered(scan, at: at(second)) }
        return ledger
    }

    private func connect(_ retired: RetiredLedgers<Int>, _ living: OfferLedger..., second: Int) -> OfferLedger {
        retired.ledger(for: 7, living: living.map { ($0, at(0)) }, rule: .everyOffer, at: at(second))
    }

    @Test(
        "Two connections of one program end: what either was sent may still be answered on each of its next, for a minute of being connected"
    )
    func both() {
        var retired = RetiredLedgers<Int>()
        retired.retire(ledger(("a", 1)), of: 7, openedAt: at(0), at: at(2))
        retired.retire(ledger(("b", 2)), of: 7, openedAt: at(0), at: at(3))
        // However long it was away, and even if another program of the same party comes first.
        for _ in 0..<2 {
            var recalled = connect(retired, second: 5000)
            #expect(recalled.answered(at: at(5003)) == .ambiguous(scans: 2))
            #expect(recalled.answered(at: at(5004)) == .scan("b"))
        }
        #expect(retired.ledger(for: 8, living: [], rule: .everyOffer, at: at(5000)) == OfferLedger())
        retired.retire(OfferLedger(), of: 7, openedAt: at(5000), at: at(5059))
        #expect(connect(retired, second: 6000) != OfferLedger(), "it wasn't connected for a minute")
        retired.retire(OfferLedger(), of: 7, openedAt: at(6000), at: at(6060))
        #expect(connect(retired, second: 7000) == OfferLedger())
    }

    @Test("A program that comes and goes doesn't owe for ever; one that answered unasked begins anew")
    func flapping() {
        var retired = RetiredLedgers<Int>()
        var first = ledger(("a", 1))
        first.answered(naming: "a", at: at(1))
        #expect(first.answered(at: at(2)) == .unasked)
        first.offered("b", at: at(3))
        retired.retire(first, of: 7, openedAt: at(0), at: at(4))
        var count = 0
        while connect(retired, second: 100 + count * 20) != OfferLedger() {
            retired.retire(
                OfferLedger(), of: 7, openedAt: at(100 + count * 20), at: at(110 + count * 20))
            count += 1
        }
        #expect(count == 36)
        first = OfferLedger()
        #expect(first.answered(at: at(2)) == .unasked)
        first.offered("b", at: at(3))
        retired.retire(first, of: 7, openedAt: at(0), at: at(4))
        var next = connect(retired, second: 5)
        #expect(next.answered(at: at(6)) == .scan("b"))
    }

    @Test("Merged debts are in the order in which they were made, each once")
    func merged() {
        var ledger = ledger(("a", 1), ("c", 3))
        ledger.merge(self.ledger(("b", 2), ("c", 3)))
        #expect(ledger.answered(at: at(4)) == .ambiguous(scans: 3))
        #expect(ledger.answered(at: at(5)) == .ambiguous(scans: 2))
        #expect(ledger.answered(at: at(6)) == .scan("c"))
        #expect(ledger.answered(at: at(7)) == .unasked)
    }

    @Test("What a party was just sent on an older connection may be meant on a new one, for a minute and not longer")
    func inherited() {
        var new = connect(RetiredLedgers(), ledger(("x", 0), ("a", 100)), second: 101)
        new.offered("b", at: at(102))
        var late = new
        #expect(new.answered(at: at(103)) == .ambiguous(scans: 2), "a may be meant, x was too long ago")
        new.answered(naming: "a", at: at(103))
        new.offered("c", at: at(104))
        #expect(
            new.answered(at: at(105)) == .ambiguous(scans: 2), "the first answer may have been to a, and this one to b")
        #expect(late.answered(at: at(161)) == .scan("b"))
    }

    @Test("An answer that was lost with an older connection leaves a new one uncertain for a minute, and not for ever")
    func uncertain() {
        var new = connect(RetiredLedgers(), ledger(("a", 100)), second: 101)
        new.offered("b", at: at(102))
        #expect(new.answered(at: at(103)) == .ambiguous(scans: 2), "it was to b, and is taken for one to a")
        var busy = new
        busy.offered("c", at: at(110))
        #expect(busy.answered(at: at(111)) == .ambiguous(scans: 2))
        busy.offered("d", at: at(171))
        #expect(busy.answered(at: at(172)) == .scan("d"))
        new.offered("c", at: at(163))
        #expect(new.answered(at: at(164)) == .scan("c"))
    }

    @Test("An answer by id is an exchange, too: what is owed wrongly isn't forgiven while a program is answering")
    func answering() {
        var ledger = connect(RetiredLedgers(), ledger(("a", 100)), second: 101)
        ledger.offered("x", at: at(102))
        ledger.offered("w", at: at(103))
        #expect(ledger.answered(at: at(104)) == .ambiguous(scans: 3))
        ledger.answered(naming: "x", at: at(157))
        ledger.offered("z", at: at(165))
        #expect(ledger.answered(at: at(166)) == .ambiguous(scans: 2), "it is w's")
    }

    @Test(
        "A program that said once too little isn't held for ever: after an answer, and a minute in which nothing happens, nothing is owed"
    )
    func quietMinute() {
        // Two codes of one frame, both answered at once: one of them can't be told from an answer said twice.
        var ledger = ledger(("a", 0), ("b", 0))
        #expect(ledger.answered(at: at(1)) == .ambiguous(scans: 2))
        #expect(ledger.answered(at: at(1)) == .ambiguous(scans: 2))
        var busy = ledger
        busy.offered("c", at: at(60))
        #expect(busy.answered(at: at(61)) == .ambiguous(scans: 2))
        ledger.offered("c", at: at(61))
        #expect(ledger.answered(at: at(62)) == .scan("c"))
        // One that was sent something since may not have been awake to get it.
        ledger.offered("d", at: at(63))
        ledger.offered("e", at: at(4000))
        #expect(ledger.answered(at: at(4001)) == .ambiguous(scans: 2), "it may be d's")
    }

    @Test(
        "A program that says an answer twice at once has said nothing new; one that answers later than that, unasked, isn't trusted again"
    )
    func twice() {
        var ledger = ledger(("a", 0))
        #expect(ledger.answered(at: at(1)) == .scan("a"))
        #expect(ledger.answered(at: at(1)) == .unasked)
        ledger.offered("b", at: at(2))
        #expect(ledger.answered(at: at(3)) == .scan("b"))
        #expect(ledger.answered(at: at(4)) == .unasked)
        ledger.offered("c", at: at(100))
        #expect(ledger.answered(at: at(101)) == .untrusted)
    }

    @Test("An answer that is said again by its id, as a program is told to do, pays nothing off a second time")
    func saidAgain() {
        var ledger = ledger(("a", 0), ("a", 1), ("b", 2))
        #expect(ledger.answered(at: at(3)) == .ambiguous(scans: 2))
        ledger.answered(naming: "a", at: at(4))
        #expect(ledger.answered(at: at(5)) == .ambiguous(scans: 2), "it is that to the second a")
    }

    @Test("What a program said and nobody has read yet keeps its debts: it isn't known that it said nothing")
    func unread() {
        var ledger = ledger(("a", 0), ("b", 0))
        #expect(ledger.answered(at: at(1)) == .ambiguous(scans: 2))
        ledger.offered("c", at: at(100), hasUnread: true)
        #expect(ledger.answered(at: at(101)) == .ambiguous(scans: 2), "it is b's")
    }

    @Test("An answer by id in between doesn't use up what was said and may be said again")
    func answeredBetween() {
        var ledger = ledger(("a", 0), ("b", 1))
        #expect(ledger.answered(at: at(2)) == .ambiguous(scans: 2))
        ledger.answered(naming: "b", at: at(3))
        ledger.offered("c", at: at(4))
        ledger.offered("a", at: at(5))
        ledger.answered(naming: "a", at: at(6))
        #expect(ledger.answered(at: at(7)).isUseless)
        #expect(ledger.answered(at: at(8)) == .scan("a"), "to its second offer")
    }

    @Test(
        "So it is with an answer that counted and was told as no success, because it was late or its relay was moving")
    func countedAndSaidAgain() {
        var ledger = ledger(("a", 0), ("a", 6))
        #expect(ledger.answered(at: at(7)) == .scan("a"))
        ledger.answered(naming: "a", at: at(7))
        ledger.offered("b", at: at(8))
        #expect(ledger.answered(at: at(9)) == .ambiguous(scans: 2), "it is that to the second a")
    }

    @Test("An answer by id that is said twice pays once")
    func namedTwice() {
        var ledger = ledger(("a", 0), ("a", 6))
        for _ in 0..<2 { ledger.answered(naming: "a", at: at(7)) }
        ledger.offered("b", at: at(8))
        #expect(ledger.answered(at: at(9)) == .ambiguous(scans: 2), "it is that to the second a")
    }

    @Test(
        "One that accepts without id and refuses by id isn't held: an answer by id pays for the scan, though another one may have meant it"
    )
    func mixed() {
        var ledger = ledger(("a", 0), ("b", 1))
        #expect(ledger.answered(at: at(2)) == .ambiguous(scans: 2))
        ledger.answered(naming: "b", at: at(3))
        ledger.offered("c", at: at(20))
        #expect(ledger.answered(at: at(21)) == .scan("c"))
    }

    @Test("Thousands of answers at a door that is never quiet are remembered in bounds, and an answer by id still pays")
    func busy() {
        var ledger = OfferLedger()
        for number in 0..<5000 {
            ledger.offered("scan-\(number)", at: at(2 * number))
            #expect(ledger.answered(at: at(2 * number + 1)) == .scan("scan-\(number)"))
        }
        ledger.offered("x", at: at(10_000))
        ledger.answered(naming: "x", at: at(10_001))
        ledger.offered("y", at: at(10_002))
        #expect(ledger.answered(at: at(10_003)) == .scan("y"))
    }

    @Test("Another connection of the same party, open all the time, doesn't use up the minute of one that was away")
    func bystander() {
        var retired = RetiredLedgers<Int>()
        retired.retire(ledger(("a", 1)), of: 7, openedAt: at(0), at: at(2))
        var next = connect(retired, OfferLedger(), second: 100)
        next.offered("b", at: at(101))
        #expect(next.answered(at: at(102)) == .ambiguous(scans: 2))
        retired.retire(OfferLedger(), of: 7, openedAt: at(0), at: at(103))
        next = connect(retired, second: 104)
        next.offered("b", at: at(105))
        #expect(next.answered(at: at(106)) == .ambiguous(scans: 2))
    }

    @Test("A host that connects again every half minute owes six minutes, though what it said may be said again")
    func everyHalfMinute() {
        var retired = RetiredLedgers<Int>()
        var first = ledger(("a", 0), ("b", 0))
        #expect(first.answered(at: at(1)).isUseless)
        #expect(first.answered(at: at(1)).isUseless)
        retired.retire(first, of: 7, openedAt: at(0), at: at(30))
        for minute in 0..<10 {
            for start in [30 + 60 * minute, 60 + 60 * minute] {
                retired.retire(connect(retired, second: start), of: 7, openedAt: at(start), at: at(start + 30))
            }
        }
        var next = connect(retired, second: 700)
        next.offered("c", at: at(701))
        #expect(next.answered(at: at(702)) == .scan("c"))
    }

    @Test("What may be said again is passed on, though nothing is owed any more")
    func saidAgainOnNext() {
        var first = ledger(("a", 0))
        #expect(first.answered(at: at(1)) == .scan("a"))
        #expect(first.answered(at: at(1)) == .unasked)
        var retired = RetiredLedgers<Int>()
        retired.retire(first, of: 7, openedAt: at(0), at: at(2))
        var next = connect(retired, second: 3)
        next.offered("a", at: at(4))
        next.offered("c", at: at(5))
        next.answered(naming: "a", at: at(6))
        #expect(next.answered(at: at(7)).isUseless, "it is that to the second a")
    }

    @Test("More than can be remembered is owed: on the next connection any answer may be to it, for a minute")
    func overflow() {
        var first = OfferLedger()
        for number in 0..<300 { first.offered("scan-\(number)", at: at(number)) }
        #expect(first.answered(at: at(301)) == .ambiguous(scans: 266))
        var next = connect(RetiredLedgers(), first, second: 302)
        next.offered("z", at: at(303))
        for second in 304..<600 { #expect(next.answered(at: at(304)).isUseless, "second \(second)") }
        next.offered("y", at: at(365))
        #expect(next.answered(at: at(366)) == .scan("y"))
    }

    @Test("After a restart any scan may be meant, until the host was silent")
    func unknown() {
        var ledger = OfferLedger.unknown(at: at(0))
        ledger.offered("a", at: at(2))
        #expect(ledger.owes(before: at(1), besides: "a"))
        #expect(ledger.answered(at: at(3)).isUseless && ledger.answered(at: at(4)).isUseless)
        ledger.forgive(before: at(1))
        ledger.offered("b", at: at(5))
        #expect(ledger.answered(at: at(6)) == .scan("b"))
    }

    @Test("One that only listens is remembered in bounds, and its answers count for nothing until all is forgiven")
    func listener() {
        var ledger = OfferLedger(party: .line)
        for number in 0..<10_000 { ledger.offered("scan-\(number)", at: at(number)) }
        #expect(ledger.scans.count <= OfferLedger.limit + 16)
        for answer in 0..<300 { #expect(ledger.answered(at: at(10_000 + answer)).isUseless) }
        ledger.forgive(before: at(20_000))
        ledger.trustAgain()
        ledger.offered("new", at: at(20_001))
        #expect(ledger.answered(at: at(20_002)) == .scan("new"))
    }
}

extension OfferLedger.Owner {
    fileprivate var isUseless: Bool { if case .scan = self { false } else { true } }
}
