import Linux
import Wire

/// What the machine says about its own health. Fields that it doesn't report are `nil`.
package struct PressureReading: Hashable, Sendable {
    /// Degrees Celsius.
    package var temperature: Double?
    /// The supply voltage is below 4.63 V now (Raspberry Pi firmware).
    package var isUnderVoltage: Bool?
    /// The firmware has throttled the processor now.
    package var isThrottled: Bool?
    /// Since boot.
    package var hasBeenUnderVoltage: Bool?
    package var hasBeenThrottled: Bool?
    /// Bytes.
    package var memoryTotal: Int?
    package var memoryAvailable: Int?

    package init() {}

    /// Reads `/sys` and `/proc` below `root` (empty: the machine's own).
    ///
    /// Bits of `get_throttled` from the Raspberry Pi documentation of vcgencmd: 0 under-voltage, 1 frequency capped,
    /// 2 throttled, 3 soft temperature limit; 16–19 the same since boot.
    package static func take(root: String = "") -> PressureReading {
        var reading = PressureReading()
        if let text = Files.firstLine(of: root + "/sys/class/thermal/thermal_zone0/temp"), let value = Double(text) {
            reading.temperature = value / 1000
        }
        if let text = Files.firstLine(of: root + "/sys/devices/platform/soc/soc:firmware/get_throttled"),
            let bits = UInt32(text, radix: 16)
        {
            reading.isUnderVoltage = bits & 1 != 0
            reading.isThrottled = bits & (1 << 2 | 1 << 3) != 0
            reading.hasBeenUnderVoltage = bits & 1 << 16 != 0
            reading.hasBeenThrottled = bits & (1 << 18 | 1 << 19) != 0
        } else {
            for name in Files.names(in: root + "/sys/class/hwmon") {
                let folder = root + "/sys/class/hwmon/" + name
                guard Files.firstLine(of: folder + "/name") == "rpi_volt" else { continue }
                reading.isUnderVoltage = Files.firstLine(of: folder + "/in0_lcrit_alarm") == "1"
            }
        }
        for line in (Files.text(of: root + "/proc/meminfo") ?? "").split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 2, let kilobytes = Int(words[1]) else { continue }
            if words[0] == "MemTotal:" { reading.memoryTotal = kilobytes * 1024 }
            if words[0] == "MemAvailable:" { reading.memoryAvailable = kilobytes * 1024 }
        }
        return reading
    }
}

extension PressureReading {
    /// As `status` tells it; what the machine doesn't report is null.
    var json: JSONValue {
        [
            "celsius": temperature.map { .number(($0 * 10).rounded() / 10) } ?? .null,
            "throttled": isThrottled.map { .bool($0) } ?? .null,
            "underVoltage": isUnderVoltage.map { .bool($0) } ?? .null,
            "memoryAvailable": memoryAvailable.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}
