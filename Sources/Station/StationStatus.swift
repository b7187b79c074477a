import Capture
import Control
import Delivery
import Journal
import Linux
import Peripherals
import Reading
import Settings
import Vocabulary
import Wire

/// What `ctl status` shows, from what station and parts reported.
struct StationStatus {
    var name: String
    var version: String
    var clock: MachineClock
    var trigger: TriggerMode
    var viewport: Viewport
    var isPaused: Bool
    var isSimulated: Bool
    var place: ServicePlace
    var startedAt: Instant
    /// Heat and voltage.
    var machine: PressureReading
    /// `nil`: a call into the camera hasn't come back yet.
    var camera: CaptureReport?
    var torch: TorchStatus
    var readers: ReaderCounters
    var readerProblem: String?
    var journal: JournalReport
    var outputs: [OutputReport]
    var control: OutputReport
    var console: JSONValue
    var counters: StationCounters
    /// The trial of settings that a console changes.
    var trial: [String: JSONValue]
    var standing: VersionStanding
    /// Scans that a host can still answer.
    var open: [String]
    var unread: [UnreadCode]
    var lines: [LineStatus]
    var session: (id: UInt64, trigger: TriggerMode)?
    /// In a form that may be shown.
    var awaitingText: String?
    var lastScan: Scan?

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "name": .string(name), "version": .string(version), "boot": .string(clock.boot),
            "clock": .string(clock.isSynced ? "synced" : "unsynced"),
            "mode": .string(trigger.rawValue), "paused": .bool(isPaused),
            "uptimeSeconds": .integer(Int64(startedAt.duration(to: clock.now).components.seconds)),
            "camera": camera.map { $0.json(viewport) } ?? Self.blockedCamera, "torch": torch.json,
            "readers": readersForm, "journal": journal.json, "outputs": .array(outputs.map(\.json)),
            "control": control.json, "counters": counters.json, "days": counters.figures.json,
            "simulated": .bool(isSimulated), "configuration": place.json, "console": console, "machine": machine.json,
        ]
        fields.merge(trial) { first, _ in first }
        if let standing = standing.text { fields["versionNote"] = .string(standing) }
        fields["host"] = .object(["open": .array(open.map(JSONValue.string))])
        if !unread.isEmpty { fields["unread"] = .array(unread.map(\.json)) }
        if !lines.isEmpty { fields["lines"] = .array(lines.map(\.json)) }
        fields["session"] =
            session.map { .object(["id": .count($0.id), "trigger": .string($0.trigger.rawValue)]) } ?? .null
        fields["awaitingConfirmation"] = awaitingText.map(JSONValue.string) ?? .null
        if let lastScan {
            fields["lastScan"] = .object([
                "id": .string(lastScan.id), "seq": .count(lastScan.sequence),
                "symbology": .string(lastScan.symbol.symbology.rawValue),
            ])
        }
        return fields
    }

    private static var blockedCamera: JSONValue {
        .object([
            "state": .string("blocked"), "detail": .string("a call into the camera hasn't come back yet"),
        ])
    }

    private var readersForm: JSONValue {
        guard let readerProblem, case .object(var fields) = readers.json else { return readers.json }
        fields["problem"] = .string(readerProblem)
        return .object(fields)
    }
}

extension CaptureReport {
    /// As `ctl status` shows it.
    fileprivate func json(_ viewport: Viewport) -> JSONValue {
        var fields: [String: JSONValue] = [
            "state": .string(state.name), "framesDelivered": .count(framesDelivered),
            "framesDropped": .count(framesDropped), "framesDamaged": .count(framesDamaged),
            "restarts": .count(restarts), "runs": .count(runs),
            "memoryBudget": .integer(Int64(memoryBudget)),
        ]
        if let detail = state.detail { fields["detail"] = .string(detail) }
        if let camera = camera {
            fields["id"] = .string(camera.id)
            fields["model"] = .string(camera.model)
        }
        if let granted = granted {
            fields["resolution"] = .string("\(granted.resolution)")
            fields["format"] = .string(granted.format)
            fields["frameRate"] = .number(granted.frameRate)
        }
        if let needed = memoryNeeded { fields["memoryNeeded"] = .integer(Int64(needed)) }
        if !skipped.isEmpty { fields["skipped"] = .array(skipped.map { .string("\($0)") }) }
        fields["viewport"] = .object([
            "x": .number(viewport.rect.x), "y": .number(viewport.rect.y), "width": .number(viewport.rect.width),
            "height": .number(viewport.rect.height), "rule": .string(viewport.rule.rawValue),
        ])
        return .object(fields)
    }
}
