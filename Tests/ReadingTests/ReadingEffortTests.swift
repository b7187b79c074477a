import Settings
import Testing
import Vocabulary

@testable import Reading

@Suite("How much of the machine reading may take")
struct ReadingEffortTests {
    private func reader(_ effort: ReadingSettings.Effort) -> Reader {
        var settings = ReadingSettings()
        settings.effort = effort
        return Reader(settings: settings, margin: 0, executable: "/nonexistent") { _ in }
    }

    private func state(_ reader: Reader) -> (effort: ReadEffort.Kind, climbs: Bool) {
        reader.pool.state.withLock { ($0.machine.gate.effort, $0.machine.limits.climbs) }
    }

    @Test(
        "eco leaves idle time idle, max reads each frame as while a session waits",
        arguments: [
            (ReadingSettings.Effort.eco, ReadEffort.Kind.quick, false), (.normal, .quick, true),
            (.max, .thorough, true),
        ])
    func efforts(effort: ReadingSettings.Effort, kind: ReadEffort.Kind, climbs: Bool) async {
        let reader = reader(effort)
        await reader.setEffort(.quick)
        #expect(state(reader) == (kind, climbs))
        await reader.setEffort(.thorough)
        #expect(state(reader) == (.thorough, climbs))
    }

    @Test("under pressure a machine reads as with eco, and a session still as hard as it can") func pressure() async {
        let reader = reader(.max)
        await reader.setEffort(.quick)
        await reader.setUnderPressure(true)
        #expect(state(reader) == (.quick, false))
        await reader.setEffort(.thorough)
        #expect(state(reader) == (.thorough, false))
        await reader.setEffort(.quick)
        // Other settings don't end it.
        var settings = ReadingSettings()
        settings.effort = .max
        settings.deadline = .seconds(2)
        await reader.setSettings(settings)
        #expect(state(reader) == (.quick, false))
        await reader.setUnderPressure(false)
        #expect(state(reader) == (.thorough, true))
    }

    @Test(
        "a warm machine's ladder has its share, whatever the effort; a session isn't held up",
        arguments: [ReadingSettings.Effort.normal, .max])
    func warm(effort: ReadingSettings.Effort) async {
        let reader = reader(effort)
        func share() -> Double { reader.pool.state.withLock { $0.machine.ladderShare } }
        await reader.setEffort(.quick)
        await reader.setLadderShare(0.25)
        #expect(share() == 0.25)
        await reader.setEffort(.thorough)
        #expect(share() == 1)
        await reader.setLadderShare(0.1)
        #expect(share() == 1)
        await reader.setEffort(.quick)
        #expect(share() == 0.1)
        await reader.setLadderShare(1)
        #expect(share() == 1)
    }
}
