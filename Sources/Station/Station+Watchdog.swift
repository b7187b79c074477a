import Capture
import Vocabulary
import Wire

/// What the service manager's watchdog and its status line are told.
extension Station {
    /// The answer to the watchdog's question. It takes the way that results and edges take, through the machine, and through
    /// those parts that drive lines and readers: one that is stuck is an answer that doesn't come.
    ///
    /// Not through the capture controller, which may be in a call into a camera that hangs: `CameraWatch` sees to that.
    func look() async -> (look: WatchdogLook, status: String) {
        feed(.tick, at: clock.now)
        _ = await lineStatuses()
        let readers = await parts.reader.counters
        let camera = duties.camera(
            isRunning: cameraState == .running && parts.capture.blockedFor == nil, parts.capture.progress)
        let look = WatchdogLook(duties: [
            camera, duties.readers(readers, deadline: settings.reading.deadline),
            duties.journal(isWaiting: scansBeingKept > 0),
        ])
        return (look, serviceStatus)
    }

    /// One line for `systemctl status`: how it goes, and what is in the way.
    var serviceStatus: String {
        var parts = [isPaused ? "paused" : "camera \(cameraState.name)"]
        parts.append(counters.scans.counted("scan"))
        if let detail = isPaused ? nil : cameraState.detail { parts.append(detail) }
        if let readerProblem { parts.append("frames can't be read: \(readerProblem)") }
        switch journalState {
        case .ready: break
        case .closed: parts.append("the journal isn't open yet")
        case .full, .unavailable, .storageSlow:
            parts.append("journal \(journalState.name)\(journalState.detail.map { ": \($0)" } ?? "")")
        }
        if !troubledOutputs.isEmpty { parts.append("in trouble: \(troubledOutputs.sorted().joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }
}
