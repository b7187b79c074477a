import Settings
import Testing
import Wire

@testable import Journal

@Suite("The journal's values")
struct ValueTests {
    @Test("The tail is a window of the newest scans, whatever its capacity", arguments: [1, 2, 7])
    func tail(capacity: Int) {
        var tail = JournalTail(capacity: capacity)
        #expect(tail.scans(after: 0, limit: 9) == [])
        for number in 1...20 {
            tail.append(scan(number))
            #expect(tail.last == UInt64(number))
            #expect(tail.first == UInt64(max(1, number - capacity + 1)))
        }
        #expect(tail.scans(after: tail.first - 1, limit: 99)?.map(\.id) == (21 - capacity...20).map { "s-\($0)" })
        #expect(tail.scans(after: 19, limit: 99)?.map(\.id) == ["s-20"])
        #expect(tail.scans(after: tail.first - 2, limit: 99) == nil)
        tail.reset(last: 40)
        #expect((tail.first, tail.last) == (41, 40))
        #expect(tail.scans(after: 40, limit: 1) == [])
        #expect(tail.scans(after: 39, limit: 1) == nil)
    }

    @Test("A state further from 'ready' hides the others, and they are back when it ends")
    func health() {
        var health = JournalHealth(slowCommit: .milliseconds(100))
        #expect(health.state == .closed)
        health.opened()
        health.committed(in: .milliseconds(101))
        #expect(health.state.name == "storageSlow")
        health.limit(full: "limit")
        #expect(health.state == .full(detail: "limit"))
        health.disk(full: "disk")
        #expect(health.state == .full(detail: "disk"))
        health.blocked("gone")
        #expect(health.state == .unavailable(detail: "gone"))
        health.opened()
        health.disk(full: nil)
        health.limit(full: nil)
        #expect(health.state.name == "storageSlow")
        for _ in 1..<JournalLimits.quickCommits { health.committed(in: .milliseconds(100)) }
        #expect(health.isSlow)
        health.committed(in: .milliseconds(1))
        #expect(health.state == .ready)
    }

    @Test("Scans are only ever dropped up to the slowest required output, in any history")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var settings = JournalSettings()
            settings.maxScans = Int.random(in: 1...40, using: &random)
            let room = JournalRoom(settings)
            var ledger = JournalLedger(id: "j")
            _ = ledger.register([
                JournalOutput(name: "a", isRequired: true), JournalOutput(name: "b", isRequired: false),
            ])
            for _ in 0..<100 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let name = Bool.random(using: &random) ? "a" : "b"
                    let sequence = UInt64.random(in: 0...ledger.last, using: &random)
                    _ = try ledger.settle(Settlement(output: name, sequence: sequence))
                default:
                    if room.obstacle(ledger, liveBytes: 0, incoming: 1, isFull: false) != nil { break }
                    if let through = room.drop(ledger, liveBytes: 0, incoming: 1) {
                        #expect(through <= ledger.outputs["a"]?.cursor ?? 0)
                        ledger.first = through + 1
                    }
                    ledger.last += 1
                    #expect(ledger.count <= settings.maxScans)
                }
                #expect(ledger.undelivered <= settings.maxScans)
            }
        }
    }

    @Test("Outputs that left long ago are forgotten beyond the bound, those of this run never")
    func remembered() {
        var ledger = JournalLedger(id: "j")
        for number in 0..<300 { _ = ledger.register([JournalOutput(name: "o\(number)", isRequired: true)]) }
        #expect(ledger.outputs.count == JournalLimits.rememberedOutputs)
        #expect(ledger.outputs["o299"]?.isActive == true)
        #expect(ledger.outputs["o0"] == nil)
    }
}
