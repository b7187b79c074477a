import ScanCore
import Wire

extension Template {
    /// What an output writes for `event`; `nil` unless it is a scan.
    public func render(_ event: Event, secrets: SecretPolicy = .asConfigured) -> [UInt8]? {
        runs(event, secrets: secrets).map { $0.reduce(into: []) { $0 += $1.bytes } }
    }

    /// The same in parts.
    func runs(_ event: Event, secrets: SecretPolicy) -> [Run]? {
        guard case .scan(let body) = event.body else { return nil }
        var values = ScanValues(event: event, body: body, secrets: secrets)
        return runs { values[$0] }
    }
}
