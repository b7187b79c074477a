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

    @Test("Two connections of one program end: what either was sent may still be answered")
    func both() {
        var retired = RetiredLedgers<Int>()
        retired.retire(ledger(("a", 1)), of: 7)
        retired.retire(ledger(("b", 2)), of: 7)
        var recalled = retired.recall(7)
        #expect(recalled?.scans == ["a", "b"])
        #expect(recalled?.answered(at: at(3)) == .ambiguous(scans: 2))
        #expect(retired.recall(7) == nil)
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
        let older = ledger(("x", 0), ("a", 100))
        var new = OfferLedger()
        new.inherit(older, at: at(101))
        new.offered("b", at: at(102))
        #expect(new.answered(at: at(103)) == .ambiguous(scans: 2), "a may be meant, x was too long ago")
        new.offered("c", at: at(104))
        var named = new
        named.answered(naming: "a")
        #expect(named.answered(at: at(105)) == .scan("c"))
        #expect(new.answered(at: at(161)) == .scan("c"))
    }

    @Test("One that only listens is remembered in bounds, and its answers count for nothing until all is forgiven")
    func listener() {
        var ledger = OfferLedger()
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
