/// The host's own answer to a scan, beyond its arrival: accepted or refused.
public struct HostSettings: Hashable, Sendable {
    /// Whether each scan waits for an answer. Off: answers are shown when they come, and nobody waits.
    public var expectsAnswer = false
    /// An answer that takes longer counts as none. The relay is never moved later than this.
    public var timeout: Duration = .seconds(2)
    /// Whether an accepting answer pulses the relay even if it doesn't ask for it.
    public var relayOnAccept = false
    /// File with one accepted text a line, for scans that no host answered in time.
    public var allowList: String?

    public init() {}
}
