import Testing

@testable import Station

@Suite("System pressure")
struct PressureMachineTests {
    private func reading(celsius: Double? = nil, underVoltage: Bool? = nil, free: Double? = nil) -> PressureReading {
        var reading = PressureReading()
        reading.temperature = celsius
        reading.isUnderVoltage = underVoltage
        if let free {
            reading.memoryTotal = 1000
            reading.memoryAvailable = Int(free * 1000)
        }
        return reading
    }

    @Test("is calm on a machine that reports nothing")
    func silentMachine() {
        var machine = PressureMachine()
        #expect(machine.handle(PressureReading()) == nil)
        #expect(machine.pressure == nil)
    }

    @Test("heat begins at 82 °C and ends only at 77 °C")
    func heatHasHysteresis() {
        var machine = PressureMachine()
        #expect(machine.handle(reading(celsius: 81.9)) == nil)
        #expect(machine.handle(reading(celsius: 82)) == .some(.heat))
        #expect(machine.handle(reading(celsius: 78)) == nil)
        #expect(machine.pressure == .heat)
        #expect(machine.handle(reading(celsius: 77)) == .some(nil))
        #expect(machine.pressure == nil)
    }

    @Test("under-voltage ends after three good readings in a row")
    func underVoltageNeedsPatience() {
        var machine = PressureMachine()
        #expect(machine.handle(reading(underVoltage: true)) == .some(.underVoltage))
        #expect(machine.handle(reading(underVoltage: false)) == nil)
        #expect(machine.handle(reading(underVoltage: true)) == nil)
        #expect(machine.handle(reading(underVoltage: false)) == nil)
        #expect(machine.handle(reading(underVoltage: false)) == nil)
        #expect(machine.handle(reading(underVoltage: false)) == .some(nil))
    }

    @Test("low memory begins below 6 % and ends at 10 %")
    func memoryHasHysteresis() {
        var machine = PressureMachine()
        #expect(machine.handle(reading(free: 0.05)) == .some(.memory))
        #expect(machine.handle(reading(free: 0.08)) == nil)
        #expect(machine.handle(reading(free: 0.10)) == .some(nil))
    }
}
