import Capture
import Delivery
import Journal
import Linux
import Peripherals
import Reading
import Vocabulary
import Wire

extension Station {
    /// Everything `ctl status` shows.
    func status() async -> [String: JSONValue] {
        let capture = await captureReport()
        let readers = await parts.reader.counters
        let outputs = await parts.dispatcher.reports()
        let lines = await lineStatuses()
        let control = await parts.control.report()
        var counters = counters
        counters.sightingsOmitted = machine.overflowCount
        counters.inboxDropped = workers.dropped
        var fields: [String: JSONValue] = [
            "name": .string(name), "version": .string(options.version), "boot": .string(clock.boot),
            "clock": .string(clock.isSynced ? "synced" : "unsynced"),
            "mode": .string(settings.trigger.mode.rawValue), "paused": .bool(machine.isPaused),
            "uptimeSeconds": .integer(Int64(health.startedAt.duration(to: clock.now).components.seconds)),
            "camera": capture.map(camera) ?? blockedCamera, "torch": health.torch.json,
            "readers": self.readers(readers),
            "journal": await parts.journal.report().json, "outputs": .array(outputs.map(\.json)),
            "control": control.json, "counters": counters.json, "days": counters.figures.json,
            "simulated": .bool(options.panel != nil),
        ]
        fields["console"] = consoleStatus
        fields.merge(trialReply) { first, _ in first }
        if let standing = options.standing.text { fields["versionNote"] = .string(standing) }
        fields["host"] = .object(["open": .array(host.open(at: clock.now).map(JSONValue.string))])
        if !unread.told.isEmpty { fields["unread"] = .array(unread.told.map(\.json)) }
        if !lines.isEmpty { fields["lines"] = .array(lines.map(\.json)) }
        fields["session"] =
            openSession.map {
                .object(["id": .count($0.id), "trigger": .string($0.trigger.rawValue)])
            }
            ?? .null
        fields["awaitingConfirmation"] =
            awaitingText.map(JSONValue.string) ?? .null
        if let scan = host.latest?.scan {
            fields["lastScan"] = .object([
                "id": .string(scan.id), "seq": .count(scan.sequence),
                "symbology": .string(scan.symbol.symbology.rawValue),
            ])
        }
        return fields
    }

    /// The levels of all lines that the station has or wants.
    package func lineStatuses() async -> [LineStatus] {
        var statuses: [LineStatus] = []
        if let status = await parts.torch.lineStatus() { statuses.append(status) }
        statuses += await parts.feedback.status().lines
        if let status = await parts.relay?.status().line { statuses.append(status) }
        for button in [parts.triggerButton, parts.confirmButton].compactMap(\.self) {
            statuses.append(await button.status())
        }
        return statuses
    }

    /// The figures that the panel shows.
    package func figures() async -> (capture: CaptureReport?, readers: ReaderCounters, counters: StationCounters) {
        (await captureReport(), await parts.reader.counters, counters)
    }

    /// Reports on the journal and the outputs. If a disk hangs, this returns only when the disk does.
    package func health() async -> (journal: JournalReport, outputs: [OutputReport]) {
        (await parts.journal.report(), await parts.dispatcher.reports())
    }

    /// `nil` while a call into the camera doesn't come back, so that the caller isn't stuck too.
    private func captureReport() async -> CaptureReport? {
        if let blocked = parts.capture.blockedFor, blocked > options.answerPatience { return nil }
        return await withTimeLimit(options.answerPatience) { [parts] in await parts.capture.report() }
    }

    package var torch: TorchStatus { health.torch }
    /// What looks like a code and isn't read, the likeliest first.
    package var unreadCodes: [UnreadCode] { unread.told }
    package var isOnPause: Bool { machine.isPaused }
    package var awaitingConfirmation: Symbol? { machine.waitingSymbol }

    /// The read that waits for its confirmation, in a form that may be shown: without the text of a code that contains a secret.
    package var awaitingText: String? {
        machine.waitingSymbol.map { shownText(of: $0) ?? "(\($0.bytes.count) bytes)" }
    }
    package var openSession: (id: UInt64, trigger: TriggerMode)? {
        machine.sessionID.map { ($0, machine.trigger.mode) }
    }

    private var blockedCamera: JSONValue {
        .object([
            "state": .string("blocked"), "detail": .string("a call into the camera hasn't come back yet"),
        ])
    }

    private func readers(_ counters: ReaderCounters) -> JSONValue {
        guard let problem = health.readerProblem, case .object(var fields) = counters.json else { return counters.json }
        fields["problem"] = .string(problem)
        return .object(fields)
    }

    private func camera(_ report: CaptureReport) -> JSONValue {
        var fields: [String: JSONValue] = [
            "state": .string(report.state.name), "framesDelivered": .count(report.framesDelivered),
            "framesDropped": .count(report.framesDropped), "framesDamaged": .count(report.framesDamaged),
            "restarts": .count(report.restarts), "runs": .count(report.runs),
            "memoryBudget": .integer(Int64(report.memoryBudget)),
        ]
        if let detail = report.state.detail { fields["detail"] = .string(detail) }
        if let camera = report.camera {
            fields["id"] = .string(camera.id)
            fields["model"] = .string(camera.model)
        }
        if let granted = report.granted {
            fields["resolution"] = .string("\(granted.resolution)")
            fields["format"] = .string(granted.format)
            fields["frameRate"] = .number(granted.frameRate)
        }
        if let needed = report.memoryNeeded { fields["memoryNeeded"] = .integer(Int64(needed)) }
        if !report.skipped.isEmpty { fields["skipped"] = .array(report.skipped.map { .string("\($0)") }) }
        let viewport = settings.capture.viewport
        fields["viewport"] = .object([
            "x": .number(viewport.rect.x), "y": .number(viewport.rect.y), "width": .number(viewport.rect.width),
            "height": .number(viewport.rect.height), "rule": .string(viewport.rule.rawValue),
        ])
        return .object(fields)
    }

    /// What cameras there are, from the process that holds them.
    func cameraList() async throws -> [String: JSONValue] { await parts.capture.inventory().jsonFields }

    /// GPIO lines of the machine or of the panel, with their holders.
    func lineList() -> [String: JSONValue] { LineInventory.list(parts.lines).jsonFields }
}

/// For the service manager: its watchdog and its status line.
extension Station {
    /// The answer to the watchdog's question. It goes the way of results and edges, through the machine, and through the parts that drive
    /// lines and readers: if one of them is stuck, no answer comes.
    ///
    /// Not through the capture controller, which may be in a call into a camera that hangs: `CameraWatch` sees to that.
    func look() async -> (look: WatchdogLook, status: String, hasJournal: Bool) {
        feed(.tick)
        _ = await lineStatuses()
        let readers = await parts.reader.counters
        let look = health.look(
            isCameraRunning: readiness.camera == .running && parts.capture.blockedFor == nil, parts.capture.progress,
            readers, deadline: settings.reading.deadline, isKeeping: keeping.hasScansUnderWay)
        return (look, serviceStatus, health.hasJournal)
    }

    var serviceStatus: String {
        health.statusLine(camera: readiness.camera, isPaused: machine.isPaused, scans: counters.scans)
    }
}

extension Station {
    /// The reader processes, for tests that end them.
    var readerProcesses: [Int32] { get async { await parts.reader.processIDs } }
}
