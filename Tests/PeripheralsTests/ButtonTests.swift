import Settings
import Testing
import Vocabulary

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct ButtonTests {
    let clock = ManualClock()
    let notices = PeripheralNotices()

    func button(on panel: SimulatedPanel, role: LineRole = .trigger) -> Button {
        Button(settings: ButtonSettings(line: .button), role: role, lines: panel, clock: clock, notices: notices)
    }

    @Test func pressesAndReleasesArriveInOrderWithTheirInstants() async {
        let panel = SimulatedPanel(clock: clock)
        let button = button(on: panel)
        await button.start()
        let pressedAt = clock.now
        #expect(panel.press(.trigger))
        clock.advance(by: .milliseconds(70))
        panel.release(.trigger)
        #expect(
            await first(2, of: button.edges) == [
                ButtonEdge(pressed: true, at: pressedAt),
                ButtonEdge(pressed: false, at: pressedAt.advanced(by: .milliseconds(70))),
            ])
    }

    @Test func theConfirmButtonIsAnother() async {
        let panel = SimulatedPanel(clock: clock)
        let confirm = button(on: panel, role: .confirm)
        await confirm.start()
        #expect(!panel.press(.trigger), "the station listens to no trigger here")
        #expect(panel.press(.confirm))
        #expect(await first(1, of: confirm.edges).map(\.pressed) == [true])
    }

    @Test func aBouncingContactIsOnePressAtItsFirstEdge() async {
        let panel = SimulatedPanel(clock: clock, debouncesButtons: false)
        let button = button(on: panel)
        await button.start()
        let began = clock.now
        for isPressed in [true, false, true, false, true] {
            panel.press(line: "GPIO5", isPressed)
            clock.advance(by: .milliseconds(1))
        }
        // Ten milliseconds after the last edge, which was four after the first.
        await clock.timerIsSet(for: began.advanced(by: .milliseconds(14)))
        clock.advance(by: .milliseconds(9))
        var edges = button.edges.makeAsyncIterator()
        #expect(await edges.next() == ButtonEdge(pressed: true, at: began))
    }

    @Test func aButtonHeldAtTheStartIsNoPress() async {
        let panel = SimulatedPanel(clock: clock)
        panel.press(line: "GPIO5")
        let button = button(on: panel)
        await button.start()
        #expect(await button.isPressed)
        panel.release(.trigger)
        panel.press(.trigger)
        #expect(await first(2, of: button.edges).map(\.pressed) == [false, true])
    }

    @Test func aPressedButtonWhoseChipVanishesIsReleasedAndComesBack() async {
        let panel = SimulatedPanel(clock: clock)
        let told = notices.stream()
        let button = button(on: panel)
        await button.start()
        panel.press(.trigger)
        var edges = button.edges.makeAsyncIterator()
        #expect(await edges.next()?.pressed == true)
        panel.setFault(.vanished, line: "GPIO5")
        #expect(await edges.next()?.pressed == false)
        let status = await button.status()
        #expect(!status.isHeld)
        #expect(status.problem?.contains("trigger.button") == true)

        panel.press(line: "GPIO5", false)
        panel.setFault(nil, line: "GPIO5")
        clock.advance(by: .milliseconds(500))
        await button.tick()
        panel.press(.trigger)
        #expect(await edges.next()?.pressed == true)
        #expect(await first(2, of: told).map(\.role) == [.trigger, .trigger])
    }

    @Test("a press right after the line is reported as back is a press, not a button that was held already")
    func pressedAsItComesBack() async {
        let panel = SimulatedPanel(clock: clock)
        let button = button(on: panel)
        await button.start()
        let told = notices.stream()
        panel.setFault(.vanished, line: "GPIO5")
        for await notice in told {
            guard case .lost = notice else { continue }
            break
        }
        let token = notices.observe { notice in
            if case .recovered = notice { panel.press(.trigger) }
        }
        defer { notices.cancel(token) }
        panel.setFault(nil, line: "GPIO5")
        clock.advance(by: .milliseconds(500))
        await button.tick()
        #expect(await first(1, of: button.edges).map(\.pressed) == [true])
    }

    @Test func aLineThatIsTakenIsTriedAgain() async {
        let panel = SimulatedPanel(clock: clock)
        panel.setFault(.taken(by: "gpio-keys"), line: "GPIO5")
        let button = button(on: panel)
        await button.start()
        #expect(
            await button.status().problem
                == "GPIO5 is in use by \"gpio-keys\" (simulated): free it or set trigger.button to another line")
        panel.setFault(nil, line: "GPIO5")
        clock.advance(by: .milliseconds(500))
        await button.tick()
        #expect(await button.status().isHeld)
    }

    @Test func shutdownReleasesAndEndsTheEdges() async {
        let panel = SimulatedPanel(clock: clock)
        let button = button(on: panel)
        await button.start()
        panel.press(.trigger)
        var edges = button.edges.makeAsyncIterator()
        _ = await edges.next()
        await button.shutdown()
        #expect(await edges.next()?.pressed == false)
        #expect(await edges.next() == nil)
        #expect(panel.lines.first?.isHeld == false)
    }
}
