import Vocabulary

/// Decides when the machine is in trouble, with hysteresis so that it doesn't flap.
///
/// ```
///   calm ──(≥ 82 °C or throttled)──▶ heat ──(≤ 77 °C)──▶ calm
///   calm ──(under-voltage)──▶ underVoltage ──(3 good readings)──▶ calm
///   calm ──(< 6 % memory free)──▶ memory ──(> 10 %)──▶ calm
/// ```
/// A Pi throttles softly at 80 °C (Pi 3B+: 60 °C) and hard at 85 °C, hence 82.
struct PressureMachine {
    static let hotCelsius = 82.0
    static let coolCelsius = 77.0
    static let lowMemoryFraction = 0.06
    static let freeMemoryFraction = 0.10
    static let goodReadingsToRecover = 3

    private(set) var pressure: SystemPressure?
    private var goodReadings = 0

    /// Returns the new pressure if it changed.
    mutating func handle(_ reading: PressureReading) -> SystemPressure?? {
        let cause = cause(of: reading)
        if let cause {
            goodReadings = 0
            guard cause != pressure else { return nil }
            pressure = cause
            return .some(cause)
        }
        guard pressure != nil else { return nil }
        goodReadings += 1
        guard pressure != .underVoltage || goodReadings >= Self.goodReadingsToRecover else { return nil }
        pressure = nil
        goodReadings = 0
        return .some(nil)
    }

    private func cause(of reading: PressureReading) -> SystemPressure? {
        if reading.isUnderVoltage == true { return .underVoltage }
        if let celsius = reading.temperature,
            celsius >= (pressure == .heat ? Self.coolCelsius.nextUp : Self.hotCelsius)
        {
            return .heat
        }
        if reading.isThrottled == true { return .heat }
        if let total = reading.memoryTotal, let available = reading.memoryAvailable, total > 0 {
            let limit = pressure == .memory ? Self.freeMemoryFraction : Self.lowMemoryFraction
            if Double(available) / Double(total) < limit { return .memory }
        }
        return nil
    }
}
