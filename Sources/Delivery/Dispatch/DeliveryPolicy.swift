import Settings

/// How one output is served, whatever its kind.
package struct DeliveryPolicy: Hashable, Sendable {
    /// Whether the journal keeps a scan until this output has answered for it.
    package var isRequired: Bool
    package var mode: DeliveryMode
    /// A `live` output skips scans that are older than this when their turn comes.
    package var maxAge: Duration
    /// Scans from before the output was made aren't for it: a simulated run delivers what it scanned itself.
    package var skipsEarlierRuns = false
    /// How many events other than scans may wait; then the oldest are dropped and counted.
    package var queueLimit: Int

    package init(
        isRequired: Bool = true, mode: DeliveryMode = .durable, maxAge: Duration = .seconds(2), queueLimit: Int = 4096
    ) {
        self.isRequired = isRequired
        self.mode = mode
        self.maxAge = maxAge
        self.queueLimit = max(1, queueLimit)
    }

    package init(_ settings: OutputSettings) {
        self.init(
            isRequired: settings.isRequired, mode: settings.deliveryMode, maxAge: settings.maxAge,
            queueLimit: settings.queue)
    }
}
