/// What the scan loop says of itself and of its parts when the watchdog asks. That it answers at all is half of the proof.
public struct WatchdogLook: Hashable, Sendable {
    /// Work that a part was given and work it has done. Both only rise, and need not count the same things.
    public struct Duty: Hashable, Sendable {
        /// For the log: "camera", "readers", "journal".
        public var part: String
        /// Rises from look to look while the part has something to answer for. When it stands still, nothing is expected, and
        /// its time starts again.
        public var given: UInt64
        /// Rises with whatever shows that the part is at work, a failure that it reports included.
        public var done: UInt64
        /// How long the part may take to get anything done; beyond its own time-outs, after which it speaks up by itself.
        public var patience: Duration

        public init(part: String, given: UInt64, done: UInt64, patience: Duration) {
            self.part = part
            self.given = given
            self.done = done
            self.patience = patience
        }
    }

    public var duties: [Duty]

    public init(duties: [Duty] = []) { self.duties = duties }
}
