import Delivery
import Testing
import Vocabulary

@Suite("Connect race")
struct TCPConnectRaceTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    private func begun(_ candidates: Int) -> ConnectRace {
        var race = ConnectRace(candidates: candidates, headStart: .milliseconds(250), timeout: .seconds(1))
        _ = race.handle(.begin, at: at(0))
        return race
    }

    @Test("The first address has a head start, then the second is tried beside it")
    func headStart() {
        var race = ConnectRace(candidates: 2, headStart: .milliseconds(250), timeout: .seconds(1))
        #expect(race.handle(.begin, at: at(0)) == [.connect(0), .wakeAt(at(250))])
        #expect(race.handle(.timer, at: at(249)) == [.wakeAt(at(250))])
        #expect(race.handle(.timer, at: at(250)) == [.connect(1), .wakeAt(at(1000))])
        #expect(race.handle(.connected(0), at: at(300)) == [.abandon(1), .wakeAt(nil), .won(0)])
        #expect(race.handle(.connected(1), at: at(301)) == [])
        #expect(race.handle(.timer, at: at(1000)) == [])
    }

    @Test("An address that fails makes way at once")
    func failure() {
        var race = begun(2)
        #expect(race.handle(.failed(0), at: at(10)) == [.connect(1), .wakeAt(at(1000))])
        #expect(race.handle(.failed(0), at: at(11)) == [])
        #expect(race.handle(.failed(1), at: at(20)) == [.wakeAt(nil), .lost(silent: [])])
    }

    @Test("When one fails while another is under way, that one goes on")
    func lastOneUnderWay() {
        var race = begun(2)
        _ = race.handle(.timer, at: at(250))
        #expect(race.handle(.failed(0), at: at(300)) == [.wakeAt(at(1000))])
        #expect(race.handle(.connected(1), at: at(400)) == [.wakeAt(nil), .won(1)])
    }

    @Test("The time limit ends what is under way, and says who was silent")
    func timeout() {
        var race = begun(3)
        _ = race.handle(.timer, at: at(250))
        _ = race.handle(.failed(0), at: at(260))
        #expect(race.handle(.timer, at: at(1000)) == [.abandon(1), .abandon(2), .wakeAt(nil), .lost(silent: [1, 2])])
        #expect(race.handle(.connected(1), at: at(1001)) == [])
    }

    @Test("Without addresses the race is lost")
    func nobody() {
        var race = ConnectRace(candidates: 0, timeout: .seconds(1))
        #expect(race.handle(.begin, at: at(0)) == [.wakeAt(nil), .lost(silent: [])])
    }
}
