/// What an output does with scans that had to wait.
package enum DeliveryMode: String, CaseIterable, Hashable, Sendable {
    /// Every scan is delivered, however late, in order.
    case durable
    /// Only what is younger than the output's `maxAge`; the rest is skipped, on record.
    case live
}
