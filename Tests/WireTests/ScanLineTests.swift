import Settings
import Testing

@testable import Wire

@Suite("A scan's line before its place is known")
struct ScanLineTests {
    @Test("With its place, it is the event's line", arguments: SecretPolicy.allCases)
    func samples(secrets: SecretPolicy) throws {
        for event in Samples.scans() {
            guard case .scan(var scan) = event.body else { continue }
            let line = try #require(ScanLine(event, secrets: secrets))
            for (journal, sequence) in [("", 0), ("019aa4e7", 1), ("a\"journal\":null,\"seq\":0,b", UInt64.max)] {
                (scan.journal, scan.scan.sequence) = (journal, sequence)
                let placed = Event(stamp: event.stamp, body: .scan(scan))
                #expect(line.bytes(journal: journal, sequence: sequence) + [0x0A] == placed.line(secrets: secrets))
                let kept = line.placed(journal: journal, sequence: sequence)
                #expect(kept.line(secrets: secrets) == placed.line(secrets: secrets))
            }
        }
    }

    @Test("Only scans have one")
    func others() {
        for event in Samples.otherEvents() { #expect(ScanLine(event, secrets: .revealed)?.scan == nil) }
    }
}
