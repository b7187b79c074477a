import Settings
import Templates
import Wire

extension Template {
    /// What an output writes for `event`; `nil` unless it is a scan.
    package func render(_ event: Event, secrets: SecretPolicy) -> [UInt8]? {
        guard case .scan(let body) = event.body else { return nil }
        var values = ScanValues(event: event, body: body, secrets: secrets)
        return render { values[$0] }
    }

    /// In parts, with the control characters of the code.
    func runs(_ event: Event, secrets: SecretPolicy) -> [Run]? {
        guard case .scan(let body) = event.body else { return nil }
        var values = ScanValues(event: event, body: body, secrets: secrets)
        return runs { values[$0] }
    }
}
