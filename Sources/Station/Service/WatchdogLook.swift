/// What the scan loop says about itself and its parts when the watchdog asks. Half of the proof is that it answers at all.
package struct WatchdogLook: Hashable, Sendable {
    /// Work that a part was given and work it has done. Both only rise, and need not count the same things.
    package struct Duty: Hashable, Sendable {
        /// For the log: "camera", "readers", "journal".
        package var part: String
        /// Rises from look to look while the part has work to do. When it stands still, nothing is expected, and the part's time starts
        /// again.
        package var given: UInt64
        /// Rises with everything that shows that the part is at work, including failures that it reports.
        package var done: UInt64
        /// How long the part may take to get anything done. It is longer than the part's own time-outs, after which it speaks up by itself.
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
