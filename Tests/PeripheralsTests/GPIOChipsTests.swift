import Glibc
import Settings
import Testing

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct GPIOChipsTests {
    let clock = ManualClock()

    func chips(_ library: FakeGPIO) -> GPIOChips { GPIOChips(library: library, clock: clock) }

    @Test func anOutputIsInactiveFromTheStartAndBeforeItIsGivenBack() throws {
        let library = FakeGPIO()
        let line = try chips(library).openOutput(LineSettings(line: "GPIO17", activeLow: true), role: .torch)
        try line.set(true)
        #expect(try line.read())
        line.close()
        #expect(library.calls == ["take 17 output active-low false", "set 17 true", "set 17 false", "release 17"])
        #expect(throws: LineError.self) { try line.set(true) }
    }

    @Test func anOutputThatIsForgottenIsDrivenInactiveToo() throws {
        let library = FakeGPIO()
        do {
            let line = try chips(library).openOutput(.relay, role: .relay)
            try line.set(true)
        }
        #expect(library.calls == ["take 26 output false", "set 26 true", "set 26 false", "release 26"])
    }

    @Test func theHolderIsNamedAfterWhatTheLineIsFor() throws {
        let library = FakeGPIO()
        let line = try chips(library).openOutput(.torch, role: .torch)
        #expect(try library.line(ofChipAt: "/dev/gpiochip0", offset: 17).consumer == "scanstation-torch")
        line.close()
    }

    @Test(arguments: ["GPIO17", "17", "pinctrl-bcm2711:17"]) func aLineIsFoundByNameOrByLabelAndOffset(name: String)
        throws
    {
        let library = FakeGPIO()
        try chips(library).openOutput(LineSettings(line: name), role: .torch).close()
        #expect(library.calls.first == "take 17 output false")
    }

    @Test(arguments: ["", ":17", "pinctrl-rp1:", "pinctrl-rp1:x", "pinctrl-rp1:-1"])
    func aNameThatMakesNoSenseSaysWhatDoes(name: String) {
        let error = #expect(throws: LineError.self) {
            try chips(FakeGPIO()).openOutput(LineSettings(line: name), role: .torch)
        }
        #expect(error?.kind == .badAddress)
        #expect(error?.message.contains("torch.line") == true)
    }

    @Test func aTakenLineNamesItsHolder() {
        let library = FakeGPIO()
        library.take(17, by: "lirc")
        let error = #expect(throws: LineError.self) { try chips(library).openOutput(.torch, role: .torch) }
        #expect(error?.kind == .taken(by: "lirc"))
        #expect(error?.lineExists == true)
        #expect(
            error?.message == "GPIO17 is in use by \"lirc\" (gpiochip0): free it or set torch.line to another line")
    }

    @Test func aHolderWithoutANameIsSaidToHaveNone() {
        let library = FakeGPIO()
        library.take(17, by: "")
        let error = #expect(throws: LineError.self) { try chips(library).openOutput(.torch, role: .torch) }
        #expect(error?.kind == .taken(by: nil))
        #expect(error?.message.hasPrefix("GPIO17 is in use by somebody who gave no name (gpiochip0)") == true)
    }

    @Test func aLineThatNoChipHasSaysWhichChipsWereAsked() {
        let error = #expect(throws: LineError.self) {
            try chips(FakeGPIO()).openOutput(LineSettings(line: "GPIO99"), role: .relay)
        }
        #expect(error?.kind == .notFound)
        #expect(error?.lineExists == false)
        #expect(
            error?.message
                == "there is no line GPIO99 on gpiochip0 [pinctrl-bcm2711]: set relay.line to one that "
                + "`scanstation lines` lists")
    }

    @Test func aChipThatCannotBeOpenedIsPassedOver() throws {
        let denied = GPIOChip(path: "/dev/gpiochip1", name: "", label: "", failure: EACCES)
        let library = FakeGPIO(chips: [FakeGPIO.pi, (denied, [])])
        library.change { $0.chips.swapAt(0, 1) }
        #expect(throws: LineError.self) { try chips(library).openOutput(LineSettings(line: "GPIO99"), role: .torch) }
        library.change { $0.chips.swapAt(0, 1) }
        try chips(library).openOutput(.torch, role: .torch).close()
    }

    @Test func aLineThatMayBeOnAChipWithoutPermissionSaysSo() {
        let denied = GPIOChip(path: "/dev/gpiochip0", name: "", label: "", failure: EACCES)
        let library = FakeGPIO(chips: [(denied, [])])
        let error = #expect(throws: LineError.self) { try chips(library).openOutput(.torch, role: .torch) }
        #expect(error?.kind == .permissionDenied)
        #expect(error?.message.contains("gpiochip0 can't be opened: Permission denied") == true)
        #expect(error?.message.contains("group gpio") == true)
    }

    @Test func aMachineWithoutChipsSaysSo() {
        let library = FakeGPIO(chips: [])
        let error = #expect(throws: LineError.self) { try chips(library).openOutput(.torch, role: .torch) }
        #expect(error?.kind == .notFound)
        #expect(error?.message.contains("--simulate") == true)
        #expect(chips(library).inventory().problem?.contains("no GPIO chip") == true)
    }

    @Test func aHeldLineWhoseChipIsGoneSaysSo() throws {
        let library = FakeGPIO()
        let line = try chips(library).openOutput(.torch, role: .torch)
        library.change { $0.useFailure = ENODEV }
        let error = #expect(throws: LineError.self) { try line.set(true) }
        #expect(error?.kind == .vanished)
        #expect(error?.message == "GPIO17 can't be driven: its chip gpiochip0 is gone: is it unplugged?")
    }

    @Test func anInputIsAskedForWithItsBiasAndDebounce() throws {
        let library = FakeGPIO()
        library.change { $0.debounces = true }
        let line = try chips(library).openInput(ButtonSettings(line: .button), role: .trigger)
        #expect(line.isDebounced)
        line.close()
        #expect(library.calls == ["take 5 input active-low pullUp 10000 µs", "release 5"])
    }

    @Test func edgesArriveInOrderOnTheStationsClock() async throws {
        let library = FakeGPIO()
        let line = try chips(library).openInput(ButtonSettings(line: .button), role: .trigger)
        let handle = try #require(library.lastInput.withLock { $0 })
        // Five milliseconds ago on CLOCK_MONOTONIC, which lags behind the station's clock by the time suspended.
        let then = clock.monotonicNanoseconds - 5_000_000
        handle.push(GPIOEdge(isActive: true, monotonicNanoseconds: then))
        handle.push(GPIOEdge(isActive: false, monotonicNanoseconds: then + 2_000_000))
        #expect(
            await first(2, of: line.edges) == [
                LineEdge(isActive: true, at: clock.now.advanced(by: .milliseconds(-5))),
                LineEdge(isActive: false, at: clock.now.advanced(by: .milliseconds(-3))),
            ])
        line.close()
    }

    @Test func edgesEndWhenTheChipHangsUp() async throws {
        let library = FakeGPIO()
        let line = try chips(library).openInput(ButtonSettings(line: .button), role: .trigger)
        library.lastInput.withLock { $0 }?.hangUp()
        for await _ in line.edges {}
        line.close()
    }

    @Test func edgesEndWhenTheLineIsClosed() async throws {
        let line = try chips(FakeGPIO()).openInput(ButtonSettings(line: .button), role: .trigger)
        line.close()
        line.close()
        for await _ in line.edges {}
    }

    @Test func aButtonOnHardwareDebouncesWhereTheKernelDoesNot() async throws {
        let library = FakeGPIO()
        let button = Button(
            settings: ButtonSettings(line: .button), role: .trigger, lines: chips(library), clock: clock)
        await button.start()
        let handle = try #require(library.lastInput.withLock { $0 })
        library.change { $0.chips[0].lines[5].isActive = true }
        let pressedAt = clock.now
        for isActive in [true, false, true] {
            handle.push(GPIOEdge(isActive: isActive, monotonicNanoseconds: clock.monotonicNanoseconds))
        }
        await clock.timerIsSet(for: pressedAt.advanced(by: .milliseconds(10)))
        clock.advance(by: .milliseconds(10))
        var edges = button.edges.makeAsyncIterator()
        #expect(await edges.next() == ButtonEdge(pressed: true, at: pressedAt))
        await button.shutdown()
        #expect(library.calls.last == "release 5")
    }

    @Test func theInventoryNamesHoldersAndChipsThatCannotBeRead() {
        let denied = GPIOChip(path: "/dev/gpiochip1", name: "", label: "", failure: EACCES)
        let library = FakeGPIO(chips: [FakeGPIO.pi, (denied, [])])
        library.take(17, by: "lirc")
        library.take(18, by: "")
        let report = LineInventory.list(chips(library))
        #expect(report.source == "libgpiod 0.0 (fake)")
        #expect(report.chips.map(\.name) == ["gpiochip0", "gpiochip1"])
        #expect(report.chips[0].lines[16].holder == nil)
        #expect(report.chips[0].lines[17].holder == "lirc")
        #expect(report.chips[0].lines[18].holder == "?")
        #expect(report.chips[1].problem?.contains("Permission denied") == true)
    }

    @Test func drivingSafeTakesEveryConfiguredOutputInactiveAndReportsEach() {
        let library = FakeGPIO()
        library.take(26, by: "scanstation-relay")
        var settings = StationSettings()
        settings.torch = TorchSettings(line: .torch)
        settings.relay = RelaySettings(line: .relay)
        settings.indicators.good = LineSettings(line: "GPIO22")
        settings.buzzer = BuzzerSettings(drive: .line(LineSettings(line: "GPIO99")))
        settings.trigger.button = ButtonSettings(line: .button)
        let outcomes = LineInventory.driveSafe(settings: settings, lines: chips(library))
        #expect(outcomes.map(\.role) == [.relay, .torch, .good, .buzzer])
        #expect(outcomes.map(\.isSafe) == [false, true, true, false])
        #expect(outcomes[0].problem?.contains("in use by \"scanstation-relay\"") == true)
        #expect(
            library.calls.filter { !$0.hasPrefix("take 26") } == [
                "take 17 output false", "set 17 false", "release 17",
                "take 22 output false", "set 22 false", "release 22",
            ])
    }

    @Test func drivingSafeWithoutAnyConfiguredLineTouchesNone() {
        let library = FakeGPIO()
        #expect(LineInventory.driveSafe(settings: StationSettings(), lines: chips(library)).isEmpty)
        #expect(library.calls.isEmpty)
    }
}
