import Testing

@testable import Linux

@Suite struct OutgoingLinesTests {
    /// A client that takes everything, but always a little late.
    @Test func aClientThatIsAlwaysALittleBehindCostsNoMemory() {
        var outgoing = OutgoingLines()
        var written = 0
        outgoing.append([1, 2, 3, 4])
        for _ in 0..<10_000 {
            outgoing.append([1, 2, 3, 4])
            // Half a line is left each time.
            var room = 4
            let flushed = outgoing.flush { line, offset in
                let count = min(room, line.count - offset)
                room -= count
                return .written(count)
            }
            written += flushed.written
            #expect(flushed.error == nil)
            #expect(outgoing.count == 1)
        }
        #expect(written == 40_000)
        #expect(outgoing.slots <= 128)
    }
}
