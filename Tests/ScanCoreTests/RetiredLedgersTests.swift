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

    /// A connection on which the program was sent a scan of its own at the beginning, and answered it.
    private func answering(from second: Int) -> OfferLedger {
        var ledger = OfferLedger()
        ledger.offered("own-\(second)", at: at(second))
        ledger.answered(naming: "own-\(second)", at: at(second))
        return ledger
    }

    /// Whether an answer that names nothing counts for a new scan.
    private func isFree(_ ledger: OfferLedger, second: Int) -> Bool {
        var ledger = ledger
        ledger.offered("new", at: at(second))
        return ledger.answered(at: at(second + 1)) == .scan("new")
    }

    /// A program that answered `a` before is sent it again, and another scan, and says by id what it had said: its next answer is that to the second `a`.
    private func countsNothingAfterSayingAgain(_ ledger: OfferLedger, second: Int) -> Bool {
        var ledger = ledger
        ledger.offered("a", at: at(second))
        ledger.offered("c", at: at(second + 1))
        ledger.answered(naming: "a", at: at(second + 2))
        return ledger.answered(at: at(second + 3)).isUseless
    }

    @Test(
        "Two connections of one program end: what either was sent may still be answered on each of its next, until it has answered others for a minute and a half"
    )
    func both() {
        var retired = RetiredLedgers<Int>()
        retired.retire(ledger(("a", 1)), of: 7, openedAt: at(0), at: at(2))
        retired.retire(ledger(("b", 2)), of: 7, openedAt: at(0), at: at(3))
        // However long it was away, and even if another program of the same party comes first.
        for _ in 0..<2 {
            var recalled = connect(retired, second: 5000)
            #expect(recalled.answered(at: at(5003)) == .ambiguous(scans: 2))
            #expect(recalled.answered(at: at(5004)) == .doubted, "the first one may have been to b")
            #expect(recalled.answered(at: at(5005)) == .unasked)
        }
        #expect(retired.ledger(for: 8, living: [], rule: .everyOffer, at: at(5000)) == OfferLedger())
        retired.retire(OfferLedger(), of: 7, openedAt: at(5000), at: at(5300))
        #expect(!isFree(connect(retired, second: 5301), second: 5302), "that was somebody who only listens")
        retired.retire(answering(from: 5400), of: 7, openedAt: at(5400), at: at(5489))
        #expect(!isFree(connect(retired, second: 6000), second: 6001), "that was too short")
        retired.retire(answering(from: 6002), of: 7, openedAt: at(6002), at: at(6092))
        #expect(isFree(connect(retired, second: 7000), second: 7001))
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
        while !isFree(connect(retired, second: 100 + count * 20), second: 101 + count * 20) {
            retired.retire(
                answering(from: 100 + count * 20), of: 7, openedAt: at(100 + count * 20), at: at(110 + count * 20))
            count += 1
        }
        #expect(count == 54, "nine minutes in pieces of ten seconds")
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
        #expect(ledger.answered(at: at(6)).isUseless, "an earlier one may have been to c")
        #expect(ledger.answered(at: at(7)) == .unasked)
        ledger.offered("d", at: at(8))
        #expect(ledger.answered(at: at(9)).isUseless, "it answers more than it is asked")
    }

    @Test(
        "What a party was just sent on an older connection may be meant on a new one, for a minute and a half and not longer"
    )
    func inherited() {
        var new = connect(RetiredLedgers(), ledger(("x", 0), ("a", 100)), second: 101)
        new.offered("b", at: at(102))
        var late = new
        #expect(new.answered(at: at(103)) == .ambiguous(scans: 2), "a may be meant, x was too long ago")
        new.answered(naming: "a", at: at(103))
        new.offered("c", at: at(104))
        #expect(
            new.answered(at: at(105)) == .ambiguous(scans: 2), "the first answer may have been to a, and this one to b")
        #expect(!isFree(late, second: 190), "it was too long ago, and b is still owed")
        #expect(late.answered(at: at(191)) == .scan("b"))
    }

    @Test(
        "An answer that was lost with an older connection leaves a new one uncertain for a minute and a half, and not for ever"
    )
    func uncertain() {
        var new = connect(RetiredLedgers(), ledger(("a", 100)), second: 101)
        new.offered("b", at: at(102))
        #expect(new.answered(at: at(103)) == .ambiguous(scans: 2), "it was to b, and is taken for one to a")
        var busy = new
        busy.offered("c", at: at(110))
        #expect(busy.answered(at: at(111)) == .ambiguous(scans: 2))
        busy.offered("d", at: at(201))
        #expect(busy.answered(at: at(202)) == .scan("d"))
        new.offered("c", at: at(193))
        #expect(new.answered(at: at(194)) == .scan("c"))
    }

    @Test("An answer by id is an exchange, too: what is owed wrongly isn't forgiven while a program is answering")
    func answering() {
        var ledger = connect(RetiredLedgers(), ledger(("a", 100)), second: 101)
        ledger.offered("x", at: at(102))
        ledger.offered("w", at: at(103))
        #expect(ledger.answered(at: at(104)) == .ambiguous(scans: 3))
        ledger.answered(naming: "x", at: at(187))
        ledger.offered("z", at: at(195))
        #expect(ledger.answered(at: at(196)) == .ambiguous(scans: 2), "it is w's")
    }

    @Test(
        "A program that said once too little isn't held for ever: after an answer, and a minute and a half in which nothing happens, nothing is owed"
    )
    func quietMinute() {
        // Two codes of one frame, both answered at once: one of them can't be told from an answer said twice.
        var ledger = ledger(("a", 0), ("b", 0))
        #expect(ledger.answered(at: at(1)) == .ambiguous(scans: 2))
        #expect(ledger.answered(at: at(1)) == .ambiguous(scans: 2))
        var busy = ledger
        busy.offered("c", at: at(90))
        #expect(busy.answered(at: at(91)) == .ambiguous(scans: 2))
        ledger.offered("c", at: at(91))
        #expect(ledger.answered(at: at(92)) == .scan("c"))
        // One that was sent something since may not have been awake to get it.
        ledger.offered("d", at: at(93))
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
        #expect(ledger.answered(at: at(8)).isUseless, "to its second offer, or that before was")
        ledger.offered("d", at: at(9))
        #expect(ledger.answered(at: at(10)) == .scan("d"))
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

    @Test("A host that connects again every half minute owes nine minutes, though what it said may be said again")
    func everyHalfMinute() {
        var retired = RetiredLedgers<Int>()
        var first = ledger(("a", 0), ("b", 0))
        #expect(first.answered(at: at(1)).isUseless)
        #expect(first.answered(at: at(1)).isUseless)
        retired.retire(first, of: 7, openedAt: at(0), at: at(30))
        for start in stride(from: 30, to: 630, by: 30) {
            var connection = connect(retired, second: start)
            connection.offered("own-\(start)", at: at(start + 1))
            connection.answered(naming: "own-\(start)", at: at(start + 2))
            retired.retire(connection, of: 7, openedAt: at(start), at: at(start + 30))
        }
        #expect(isFree(connect(retired, second: 700), second: 701))
    }

    @Test("Another connection, opened since, that only listens doesn't use up the minute of one that was away, either")
    func listeningSince() {
        var retired = RetiredLedgers<Int>()
        retired.retire(ledger(("a", 1)), of: 7, openedAt: at(0), at: at(2))
        let listener = (ledger: connect(retired, second: 3), openedAt: at(3))
        #expect(!isFree(retired.ledger(for: 7, living: [listener], rule: .everyOffer, at: at(300)), second: 301))
        retired.retire(listener.ledger, of: 7, openedAt: at(3), at: at(302))
        #expect(!isFree(connect(retired, second: 303), second: 304))
    }

    @Test("What may be said again is kept in its own time, beside debts that are over, and pushes out nobody else's")
    func saidApart() {
        var retired = RetiredLedgers<Int>()
        retired.retire(ledger(("q", 1)), of: 7, openedAt: at(0), at: at(2))
        // A connection that lasted, and answered a scan just before it ended.
        var second = answering(from: 3)
        second.offered("a", at: at(100))
        #expect(second.answered(at: at(101)) == .scan("a"))
        retired.retire(second, of: 7, openedAt: at(3), at: at(102))
        #expect(countsNothingAfterSayingAgain(connect(retired, second: 103), second: 104))

        retired = RetiredLedgers()
        retired.retire(ledger(("a", 1)), of: 7, openedAt: at(0), at: at(2))
        for other in 100..<300 { retired.retire(answering(from: 3), of: other, openedAt: at(3), at: at(4)) }
        #expect(!isFree(connect(retired, second: 5), second: 6))
    }

    @Test(
        "What a program said on another connection isn't said again later than a minute and a half: it holds nothing up for ever"
    )
    func saidEnds() {
        var connection = OfferLedger()
        // Unasked: what it meant, it may say again.
        #expect(connection.answered(at: at(1)) == .unasked)
        var retired = RetiredLedgers<Int>()
        retired.retire(connection, of: 7, openedAt: at(0), at: at(2))
        var soon = connect(retired, second: 3)
        soon.offered("x", at: at(4))
        soon.answered(naming: "x", at: at(5))
        #expect(!isFree(soon, second: 6), "x may have been said before, and is still owed an answer")
        for start in stride(from: 10, to: 200, by: 20) {
            var next = connect(retired, second: start)
            next.offered("own", at: at(start + 1))
            next.answered(naming: "own", at: at(start + 2))
            retired.retire(next, of: 7, openedAt: at(start), at: at(start + 15))
        }
        var later = connect(retired, second: 300)
        later.offered("x", at: at(301))
        later.answered(naming: "x", at: at(302))
        #expect(later.scans.isEmpty, "x is paid off")
        // Those that were named while anything may have been said before are owed still, and end with a minute and a half without.
        #expect(isFree(later, second: 396))
    }

    @Test(
        "One that has answered unasked and connects again is trusted, and not with what another order has left of its debts"
    )
    func untrustedBefore() {
        var first = OfferLedger()
        #expect(first.answered(at: at(0)) == .unasked)
        first.offered("a", at: at(1))
        first.offered("b", at: at(1))
        #expect(first.answered(at: at(2)) == .untrusted, "it is b's")
        var retired = RetiredLedgers<Int>()
        retired.retire(first, of: 7, openedAt: at(0), at: at(3))
        var next = connect(retired, second: 4)
        #expect(next.answered(at: at(5)) == .doubted, "it is a's")
    }

    @Test("An answer that is said twice, with the next scan sent in between, leaves no doubt of the next")
    func twiceAround() {
        var ledger = OfferLedger()
        var now = at(0)
        for scan in 0..<10 {
            ledger.offered("scan-\(scan)", at: now)
            if scan > 0 { #expect(ledger.answered(at: now) == .ambiguous(scans: 2), "the one before, again") }
            now = now.advanced(by: .seconds(1))
            #expect(ledger.answered(at: now) == .scan("scan-\(scan)"))
            now = now.advanced(by: .milliseconds(5))
        }
    }

    @Test("An answer by id that is said again may be said once more: the time for that begins anew")
    func saidOnceMore() {
        var first = ledger(("a", 0), ("b", 0))
        #expect(first.answered(at: at(1)) == .ambiguous(scans: 2))
        first.answered(naming: "b", at: at(60))
        var retired = RetiredLedgers<Int>()
        retired.retire(first, of: 7, openedAt: at(0), at: at(80))
        var next = connect(retired, second: 92)
        next.offered("b", at: at(93))
        next.answered(naming: "b", at: at(94))
        next.offered("c", at: at(95))
        #expect(next.answered(at: at(96)).isUseless, "it is that to the second b")
    }

    @Test("It does, too, where an earlier connection answered unasked, so that what is said by id pays nothing off")
    func saidOnceMoreUnpaid() {
        var first = OfferLedger()
        #expect(first.answered(at: at(1)) == .unasked)
        var retired = RetiredLedgers<Int>()
        retired.retire(first, of: 7, openedAt: at(0), at: at(2))
        var second = connect(retired, second: 3)
        second.offered("a", at: at(4))
        #expect(second.answered(at: at(5)) == .scan("a"))
        for again in [30, 58, 86] { second.answered(naming: "a", at: at(again)) }
        retired.retire(second, of: 7, openedAt: at(3), at: at(94))
        #expect(countsNothingAfterSayingAgain(connect(retired, second: 96), second: 97))
    }

    @Test("Doubts are as many as debts, however often a program connects")
    func doubtsInBounds() {
        var retired = RetiredLedgers<Int>()
        for round in 0..<500 {
            var connection = connect(retired, second: 20 * round)
            for scan in 0..<3 { connection.offered("\(round)-\(scan)", at: at(20 * round + 1)) }
            _ = connection.answered(at: at(20 * round + 2))
            retired.retire(connection, of: 7, openedAt: at(20 * round), at: at(20 * round + 15))
        }
        #expect(connect(retired, second: 10_001).doubtCount <= 512)
    }

    @Test(
        "A program with several threads answers in another order: no scan counts that an ambiguous answer may have been to"
    )
    func otherOrder() {
        var ledger = ledger(("a", 0), ("b", 0))
        #expect(ledger.answered(at: at(1)) == .ambiguous(scans: 2), "it is b's")
        #expect(ledger.answered(at: at(2)) == .doubted, "it is a's")
        ledger.offered("c", at: at(3))
        #expect(ledger.answered(at: at(4)) == .scan("c"))
        // One behind which another scan is sent stays in doubt, and takes it along.
        ledger = self.ledger(("a", 0), ("b", 0))
        #expect(ledger.answered(at: at(1)).isUseless, "it is b's")
        ledger.offered("c", at: at(2))
        #expect(ledger.answered(at: at(3)).isUseless, "it is a's")
        #expect(ledger.answered(at: at(4)).isUseless, "it is c's, as far as it can tell")
        // By its id, it counts, and the rest isn't in doubt any more.
        ledger = self.ledger(("a", 0), ("b", 0))
        #expect(ledger.answered(at: at(1)).isUseless, "it is b's")
        ledger.answered(naming: "a", at: at(2))
        ledger.answered(naming: "b", at: at(3))
        #expect(isFree(ledger, second: 4))
        // Serial lines answer in order.
        var line = OfferLedger(party: .line)
        line.offered("a", at: at(0))
        line.offered("b", at: at(0))
        #expect(line.answered(at: at(1)).isUseless)
        #expect(line.answered(at: at(2)) == .scan("b"))
    }

    @Test("What may be said again is passed on, though nothing is owed any more")
    func saidAgainOnNext() {
        var first = ledger(("a", 0))
        #expect(first.answered(at: at(1)) == .scan("a"))
        #expect(first.answered(at: at(1)) == .unasked)
        var retired = RetiredLedgers<Int>()
        retired.retire(first, of: 7, openedAt: at(0), at: at(2))
        #expect(countsNothingAfterSayingAgain(connect(retired, second: 3), second: 4))
    }

    @Test(
        "More than can be remembered is owed: on the next connection any answer may be to it, until a minute and a half without"
    )
    func overflow() {
        var first = OfferLedger()
        for number in 0..<300 { first.offered("scan-\(number)", at: at(number)) }
        #expect(first.answered(at: at(301)) == .ambiguous(scans: 266))
        var next = connect(RetiredLedgers(), first, second: 302)
        next.offered("z", at: at(303))
        for second in 304..<340 { #expect(next.answered(at: at(second)).isUseless, "second \(second)") }
        next.offered("y", at: at(430))
        #expect(next.answered(at: at(431)) == .scan("y"))
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
