import Settings
import Synchronization
import Testing

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct SimulatedPanelTests {
    let clock = ManualClock()

    @Test func theTraceHasEveryChangeWithItsInstantLineAndLevel() throws {
        let panel = SimulatedPanel(clock: clock)
        let start = clock.now
        let line = try panel.openOutput(.torch, role: .torch)
        clock.advance(by: .seconds(1))
        try line.set(true)
        try line.set(true)
        clock.advance(by: .seconds(1))
        line.close()
        func change(_ number: UInt64, _ seconds: Int, _ what: PanelChange.What) -> PanelChange {
            PanelChange(
                number: number, at: start.advanced(by: .seconds(seconds)), role: .torch, line: "GPIO17", what: what)
        }
        #expect(
            panel.trace == [
                change(1, 0, .taken), change(2, 1, .level(true)), change(3, 2, .level(false)), change(4, 2, .givenBack),
            ])
    }

    @Test func aLineCanBeHeldOnceOnly() throws {
        let panel = SimulatedPanel(clock: clock)
        let line = try panel.openOutput(.torch, role: .torch)
        let error = #expect(throws: LineError.self) { try panel.openOutput(.torch, role: .relay) }
        #expect(
            error?.message
                == "GPIO17 is in use by \"scanstation-torch\" (simulated): free it or set relay.line to another line")
        line.close()
        try panel.openOutput(.torch, role: .relay).close()
    }

    @Test func anOldHandleCannotTouchWhatANewerOneHolds() throws {
        let panel = SimulatedPanel(clock: clock)
        let old = try panel.openOutput(.torch, role: .torch)
        panel.setFault(.vanished, line: "GPIO17")
        panel.setFault(nil, line: "GPIO17")
        let new = try panel.openOutput(.torch, role: .torch)
        try new.set(true)
        old.close()
        #expect(throws: LineError.self) { try old.set(false) }
        #expect(try new.read())
        new.close()
    }

    @Test(arguments: [
        (SimulatedPanel.Fault.taken(by: "lirc"), LineError.Kind.taken(by: "lirc")), (.missing, .notFound),
        (.vanished, .vanished), (.permissionDenied, .permissionDenied),
    ])
    func faultsAreTheErrorsOfHardware(fault: SimulatedPanel.Fault, kind: LineError.Kind) {
        let panel = SimulatedPanel(clock: clock)
        panel.setFault(fault, line: "GPIO17")
        let error = #expect(throws: LineError.self) { try panel.openOutput(.torch, role: .torch) }
        #expect(error?.kind == kind)
    }

    @Test func observersSeeChangesInOrderAndMayCauseMore() throws {
        let panel = SimulatedPanel(clock: clock)
        let seen = Mutex<[UInt64]>([])
        let token = panel.observe { change in
            seen.withLock { $0.append(change.number) }
            if change.line == "GPIO5", change.what == .pressed(true) { panel.press(line: "GPIO6") }
        }
        panel.press(line: "GPIO5")
        panel.press(line: "GPIO5", false)
        #expect(seen.withLock { $0 } == [1, 2, 3])
        #expect(panel.isActive(line: "GPIO6"))
        panel.cancel(token)
        panel.press(line: "GPIO5")
        #expect(seen.withLock { $0 } == [1, 2, 3])
    }

    @Test func theTraceIsBoundedAndKeepsTheNewest() {
        let panel = SimulatedPanel(clock: clock, traceLimit: 10)
        for press in 0..<101 { panel.press(line: "GPIO5", press.isMultiple(of: 2)) }
        #expect(panel.trace.map(\.number) == Array(92...101))
    }

    @Test func theInventoryShowsWhatTheStationHolds() throws {
        let panel = SimulatedPanel(clock: clock)
        let line = try panel.openOutput(.torch, role: .torch)
        panel.setFault(.taken(by: "lirc"), line: "GPIO22")
        let chip = try #require(LineInventory.list(panel).chips.first)
        #expect(chip.lines.map(\.name) == ["GPIO17", "GPIO22"])
        #expect(chip.lines.map(\.holder) == ["scanstation-torch", "lirc"])
        line.close()
    }

    @Test func drivingSafePutsOutWhatAKilledStationLeftOn() throws {
        let panel = SimulatedPanel(clock: clock)
        // As after SIGKILL on a Pi: nobody holds the line, and it is still active.
        panel.press(line: "GPIO17")
        var settings = StationSettings()
        settings.torch = TorchSettings(line: .torch)
        let outcomes = LineInventory.driveSafe(settings: settings, lines: panel)
        #expect(outcomes == [LineInventory.Outcome(role: .torch, line: "GPIO17")])
        #expect(!panel.isActive(line: "GPIO17"))
    }
}
