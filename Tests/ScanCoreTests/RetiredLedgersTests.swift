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
}
