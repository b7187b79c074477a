/// Throttling, under-voltage and temperature: the usual reasons for a Pi that misbehaves under load.
struct PowerCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        let reading = PressureReading.take(root: context.root)
        var findings: [DoctorFinding] = []
        let supply = "use the supply made for this Pi (5 V; 3 A for a Pi 4, 5 A for a Pi 5) with a short cable"
        switch (reading.isUnderVoltage, reading.hasBeenUnderVoltage) {
        case (true?, _): findings.append(DoctorFinding(.fail, "power", "under-voltage now", remedy: supply))
        case (_, true?): findings.append(DoctorFinding(.warn, "power", "under-voltage since boot", remedy: supply))
        case (false?, _): findings.append(DoctorFinding(.ok, "power", "supply voltage is good"))
        case (nil, _): findings.append(DoctorFinding(.ok, "power", "this machine doesn't report its supply voltage"))
        }
        if reading.isThrottled == true || reading.hasBeenThrottled == true {
            findings.append(
                DoctorFinding(
                    .warn, "heat",
                    reading.isThrottled == true ? "the processor is throttled now" : "was throttled since boot",
                    remedy: "give it air or a heat sink, or lower capture.frameRate"))
        } else if let celsius = reading.temperature {
            let text = "\(Int(celsius.rounded())) °C"
            findings.append(
                celsius >= PressureMachine.hotCelsius
                    ? DoctorFinding(
                        .warn, "heat", text, remedy: "give it air or a heat sink, or lower capture.frameRate")
                    : DoctorFinding(.ok, "heat", text))
        }
        return findings
    }
}
