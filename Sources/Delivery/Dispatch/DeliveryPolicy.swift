import ScanCore

/// How one output is served, whatever its kind.
public struct DeliveryPolicy: Hashable, Sendable {
    /// Whether the journal keeps a scan until this output has answered for it.
    public var isRequired: Bool
    public var mode: DeliveryMode
    /// A `live` output skips scans that are older than this when their turn comes.
    public var maxAge: Duration
    /// Scans from before the output was made aren't for it: a simulated run delivers what it scanned itself.
    public var skipsEarlierRuns = false
    /// Events other than scans that may wait; the oldest give way and are counted.
    public var queueLimit: Int

    public init(
        isRequired: Bool = true, mode: DeliveryMode = .durable, maxAge: Duration = .seconds(2), queueLimit: Int = 4096
    ) {
        self.isRequired = isRequired
        self.mode = mode
        self.maxAge = maxAge
        self.queueLimit = max(1, queueLimit)
    }

    public init(_ settings: OutputSettings) {
        self.init(
            isRequired: settings.isRequired, mode: settings.deliveryMode, maxAge: settings.maxAge,
            queueLimit: settings.queue)
    }
}
