import Wire

/// What happened since the station started. The first group counts what phone scanners collect, by session; the second is
/// ours. Outputs and readers keep counters of their own; `ctl status` shows all of them.
package struct StationCounters: Hashable, Sendable {
    /// Scans accepted: kept in the journal.
    package var scans: UInt64 = 0
    /// Codes that were read and couldn't be kept.
    package var notKept: UInt64 = 0
    /// Sessions that ended without a scan because their time was up.
    package var noReads: UInt64 = 0
    /// Sessions that were ended (released, cancelled, unconfirmed) without a scan.
    package var closedWithoutScan: UInt64 = 0
    /// Sessions ended by a fault of the camera.
    package var closedFromError: UInt64 = 0
    /// Times the torch went on.
    package var torchOn: UInt64 = 0
    package var sessions: UInt64 = 0
    /// Scans that a person confirmed, and scans that waited and weren't confirmed.
    package var confirmed: UInt64 = 0
    package var unconfirmed: UInt64 = 0
    package var accepted: UInt64 = 0
    package var refused: UInt64 = 0
    /// Scans whose expected answer didn't come in time.
    package var unanswered: UInt64 = 0
    package var commands: UInt64 = 0
    /// Commands that could not be carried out.
    package var commandErrors: UInt64 = 0
    package var cameraInterruptions: UInt64 = 0
    /// Codes that weren't followed because too many were in view (`SightingTracker`'s limit).
    package var sightingsOmitted: UInt64 = 0
    /// Events from the station's own parts that found its inbox full.
    package var inboxDropped: UInt64 = 0

    /// A day at a time.
    package var figures = ReadingFigures()

    package init() {}

    var json: JSONValue {
        .object([
            "scans": .count(scans), "notKept": .count(notKept), "noReads": .count(noReads),
            "closedWithoutScan": .count(closedWithoutScan), "closedFromError": .count(closedFromError),
            "torchOn": .count(torchOn), "sessions": .count(sessions), "confirmed": .count(confirmed),
            "unconfirmed": .count(unconfirmed), "accepted": .count(accepted), "refused": .count(refused),
            "unanswered": .count(unanswered), "commands": .count(commands), "commandErrors": .count(commandErrors),
            "cameraInterruptions": .count(cameraInterruptions), "sightingsOmitted": .count(sightingsOmitted),
            "inboxDropped": .count(inboxDropped),
        ])
    }
}
