/// The host's own answer to a scan, beyond its arrival: accepted or refused.
package struct HostSettings: Hashable, Sendable {
    /// Whether each scan waits for an answer. Off: answers are shown when they come, but nothing waits for them.
    package var expectsAnswer = false
    /// An answer that takes longer counts as none. The relay is never moved later than this.
    package var timeout: Duration = .seconds(2)
    /// Whether an accepting answer pulses the relay even if it doesn't ask for it.
    package var relayOnAccept = false
    /// File with one accepted text per line, for scans that no host answered in time.
    package var allowList: String?

    package init() {}
}
