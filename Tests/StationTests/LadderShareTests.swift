import Testing

@testable import Station

@Suite("How much the ladder may take of a warm machine's time")
struct LadderShareTests {
    private func reading(_ celsius: Double?) -> PressureReading {
        var reading = PressureReading()
        reading.temperature = celsius
        return reading
    }

    @Test("Less from 70 °C in three steps, and more again when it is two degrees cooler than a step")
    func steps() {
        var machine = LadderShare()
        let course: [(celsius: Double?, share: Double?)] = [
            (50, nil), (69.9, nil), (70, 0.5), (68.1, nil), (73.9, nil), (74, 0.25), (80, 0.1), (76.1, nil),
            (75.9, 0.25),
            (71.9, 0.5), (67.9, 1), (79, 0.1), (40, 1), (79, 0.1), (nil, 1),
        ]
        for (index, step) in course.enumerated() {
            #expect(machine.handle(reading(step.celsius)) == step.share, "step \(index)")
        }
    }

    @Test("A machine without a thermometer has all of the time")
    func silent() {
        var machine = LadderShare()
        #expect(machine.handle(reading(nil)) == nil)
        #expect(machine.share == 1)
    }

    @Test("The ladder is never hotter work than heat allows: the last step comes before the end of it")
    func order() {
        #expect(LadderShare.steps.allSatisfy { $0.celsius < PressureMachine.hotCelsius && $0.share > 0 })
    }
}
