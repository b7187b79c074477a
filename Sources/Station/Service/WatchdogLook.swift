/// What the scan loop says of itself and of its parts when the watchdog asks. That it answers at all is half of the proof.
package struct WatchdogLook: Hashable, Sendable {
    /// Work that a part was given and work it has done. Both only rise, and need not count the same things.
    package struct Duty: Hashable, Sendable {
        /// For the log: "camera", "readers", "journal".
        package var part: String
        /// Rises from look to look while the part has something to answer for. When it stands still, nothing is expected, and
        /// its time starts again.
        package var given: UInt64
        /// Rises with whatever shows that the part is at work, a failure that it reports included.
        package var done: UInt64
        /// How long the part may take to get anything done; beyond its own time-outs, after which it speaks up by itself.
        package var patience: Duration

        package init(part: String, given: UInt64, done: UInt64, patience: Duration) {
            self.part = part
            self.given = given
            self.done = done
            self.patience = patience
        }
    }

    package var duties: [Duty]

    package init(duties: [Duty] = []) { self.duties = duties }
}
