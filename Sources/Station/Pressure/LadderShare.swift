/// Decides how much of the time the ladder may take on a machine that grows warm, so that it doesn't get hot: what it reads late is worth more than
/// what nobody reads because of heat.
///
/// A Pi throttles from 80 °C; `PressureMachine` ends the ladder at 82, with the frame rate and the torch.
struct LadderShare {
    /// From these degrees Celsius, how much.
    static let steps: [(celsius: Double, share: Double)] = [(70, 0.5), (74, 0.25), (78, 0.1)]
    /// It goes back when it is this much cooler than a step.
    static let hysteresis = 2.0

    private var step = 0

    /// The share of the time, more than 0, up to 1.
    var share: Double { step == 0 ? 1 : Self.steps[step - 1].share }

    /// Returns the new share if it changed.
    mutating func handle(_ reading: PressureReading) -> Double? {
        let old = step
        // Without a thermometer there is nothing to go by.
        let celsius = reading.temperature ?? -.infinity
        while step < Self.steps.count, celsius >= Self.steps[step].celsius { step += 1 }
        while step > 0, celsius < Self.steps[step - 1].celsius - Self.hysteresis { step -= 1 }
        return step == old ? nil : share
    }
}
