import Settings
import Templates
import Wire

extension Template {
    /// What an output writes for `event`; `nil` unless it is a scan.
    package func render(_ event: Event, secrets: SecretPolicy) -> [UInt8]? {
        ScanValues(event, secrets: secrets).map { values in render { values[$0] } }
    }

    /// In parts, with the code's control characters.
    func runs(_ event: Event, secrets: SecretPolicy) -> [Run]? {
        ScanValues(event, secrets: secrets).map { values in runs { values[$0] } }
    }
}
