import Settings
import Testing

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct FeedbackPlayerTests {
    let clock = ManualClock()
    let notices = PeripheralNotices()

    static let leds: IndicatorSettings = {
        var settings = IndicatorSettings()
        settings.good = LineSettings(line: "GPIO22")
        settings.error = LineSettings(line: "GPIO23")
        settings.ready = LineSettings(line: "GPIO24")
        return settings
    }()

    static let buzzer = BuzzerSettings(drive: .pwm(chip: 0, channel: 1))

    func player(_ panel: SimulatedPanel, buzzer: BuzzerSettings? = buzzer) -> FeedbackPlayer {
        FeedbackPlayer(indicators: Self.leds, buzzer: buzzer, lines: panel, clock: clock, notices: notices)
    }

    /// Lets time pass with timers that are on time, until the pattern under way is over.
    func finish(_ player: FeedbackPlayer) async {
        for _ in 0..<2000 where await player.status().playing != nil {
            clock.advance(by: .milliseconds(10))
            await player.tick()
        }
    }

    @Test func takesItsLinesDarkAndSilent() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel)
        await player.start()
        #expect(panel.lines.map(\.line) == ["GPIO22", "GPIO23", "GPIO24", "pwmchip0/pwm1"])
        #expect(panel.lines.allSatisfy { $0.isHeld && !$0.isActive })
    }

    @Test func playsKeptAsLightAndOneBeep() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel)
        await player.start()
        player.play(.kept)
        await player.tick()
        #expect(await player.status().playing == .kept)
        await finish(player)
        #expect(panel.story(of: "GPIO22") == ["taken", "on", "off"])
        #expect(panel.story(of: "GPIO23") == ["taken"])
        #expect(panel.story(of: "pwmchip0/pwm1") == ["taken", "1 Hz", "0 Hz"])
        let tones = panel.trace.filter { $0.role == .buzzer }
        #expect(tones[1].at.duration(to: tones[2].at) == .milliseconds(80))
    }

    @Test func aCueReachesTheLinesWithoutAnybodyWaiting() async {
        let panel = SimulatedPanel(clock: clock)
        let changes = panel.changes()
        let player = player(panel)
        await player.start()
        // From here on only the player's own loop works.
        player.play(.read)
        for await change in changes where change.role == .good && change.what == .level(true) { break }
        #expect(panel.isActive(line: "GPIO22"))
    }

    @Test func anActiveBuzzerJustSounds() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel, buzzer: BuzzerSettings(drive: .line(LineSettings(line: "GPIO18"))))
        await player.start()
        player.play(.cannotKeep)
        await player.tick()
        await finish(player)
        let beep = ["on", "off"]
        #expect(panel.story(of: "GPIO18").filter { $0 != "taken" } == beep + beep + beep + beep)
    }

    @Test func theReadyLightIsSteady() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel)
        await player.start()
        player.setReady(true)
        await player.tick()
        #expect(panel.isActive(line: "GPIO24"))
        player.play(.read)
        await player.tick()
        #expect(panel.isActive(line: "GPIO24"), "it doesn't blink")
        await finish(player)
        #expect(panel.isActive(line: "GPIO24"))
        player.setReady(false)
        await player.tick()
        #expect(!panel.isActive(line: "GPIO24"))
    }

    @Test func aStormOfCuesIsBoundedAndTheImportantOneIsPlayed() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel)
        // Not started: nobody takes the cues out.
        player.play(.cannotKeep)
        for _ in 0..<10_000 { player.play(.read) }
        await player.start()
        let status = await player.status()
        #expect(status.playing == .cannotKeep)
        #expect(status.cuesLeftOut >= 10_000 - UInt64(FeedbackInbox.capacity))
    }

    @Test func whatWasToBeShownIsShownWhenTheLineComesBack() async {
        let panel = SimulatedPanel(clock: clock)
        panel.setFault(.taken(by: "led0"), line: "GPIO24")
        let player = player(panel)
        await player.start()
        player.setReady(true)
        await player.tick()
        let lost = await player.status().lines.first { $0.role == .ready }
        #expect(lost?.isHeld == false)
        #expect(lost?.problem?.contains("indicators.ready") == true)
        panel.setFault(nil, line: "GPIO24")
        clock.advance(by: .milliseconds(500))
        await player.tick()
        #expect(panel.isActive(line: "GPIO24"))
    }

    @Test func aChipThatVanishesWhileItBeepsDoesNotStopTheLights() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel)
        await player.start()
        player.play(.cannotKeep)
        await player.tick()
        panel.setFault(.vanished, line: "pwmchip0/pwm1")
        await finish(player)
        #expect(panel.story(of: "GPIO23") == ["taken", "on", "off"])
        let buzzer = await player.status().lines.first { $0.role == .buzzer }
        #expect(buzzer?.isHeld == false)
    }

    @Test func shutdownIsDarkAndSilentBeforeTheLinesAreGivenBack() async {
        let panel = SimulatedPanel(clock: clock)
        let player = player(panel)
        await player.start()
        player.setReady(true)
        player.play(.cannotKeep)
        await player.tick()
        await player.shutdown()
        #expect(panel.story(of: "GPIO23") == ["taken", "on", "off", "given back"])
        #expect(panel.story(of: "GPIO24") == ["taken", "on", "off", "given back"])
        #expect(panel.story(of: "pwmchip0/pwm1") == ["taken", "500 Hz", "0 Hz", "given back"])
        player.play(.kept)
        await player.tick()
        #expect(panel.lines.allSatisfy { !$0.isActive })
    }

    @Test func withoutAnyLineItPlaysForNobody() async {
        let panel = SimulatedPanel(clock: clock)
        let player = FeedbackPlayer(indicators: IndicatorSettings(), buzzer: nil, lines: panel, clock: clock)
        await player.start()
        player.play(.kept)
        await player.tick()
        await finish(player)
        #expect(panel.trace.isEmpty)
        #expect(await player.status().lines.isEmpty)
    }
}
