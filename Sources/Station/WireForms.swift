import Capture
import Peripherals
import Reading
import Vocabulary
import Wire

// How values of the lower modules look on the wire.

extension TorchStatus {
    var event: StateEvent {
        StateEvent(part: "torch", state: isActive ? "on" : "off", detail: detail, fields: fields)
    }

    var json: JSONValue {
        var fields = fields
        fields["timesLit"] = .count(timesLit)
        if let detail { fields["detail"] = .string(detail) }
        return .object(fields)
    }

    private var fields: [String: JSONValue] {
        [
            "hasTorch": .bool(hasTorch), "isTorchAvailable": .bool(isAvailable), "isTorchActive": .bool(isActive),
            "mode": .string(mode.rawValue),
        ]
    }

    private var detail: String? {
        switch unavailability {
        case nil: nil
        case .notConfigured: "no torch is configured"
        case .line(let text): text
        case .coolingDown: "it was on for torch.maxOnTime and is cooling down"
        case .systemPressure: "the system is too hot or short of power"
        case .shutDown: "the station is stopping"
        }
    }
}

extension ReaderCounters {
    var json: JSONValue {
        .object([
            "framesDelivered": .count(delivered), "framesRead": .count(read), "gatedUnchanged": .count(gatedUnchanged),
            "gatedBlank": .count(gatedBlank), "droppedBusy": .count(droppedBusy), "crashed": .count(crashed),
            "timedOut": .count(timedOut), "refused": .count(refused), "late": .count(late),
            "symbolsOmitted": .count(symbolsOmitted), "workerRestarts": .count(workerRestarts),
        ])
    }
}

extension LineStatus {
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "role": .string("\(role)"), "line": .string(line), "held": .bool(isHeld),
            "active": isActive.map(JSONValue.bool) ?? .null,
        ]
        if let problem { fields["problem"] = .string(problem) }
        return .object(fields)
    }
}

extension LineInventory.Report {
    package var jsonFields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["source": .string(source), "chips": .array(chips.map(\.json))]
        if let problem { fields["problem"] = .string(problem) }
        return fields
    }
}

extension LineInventory.Chip {
    var json: JSONValue {
        var fields: [String: JSONValue] = [
            "name": .string(name), "path": .string(path), "label": .string(label),
            "lines": .array(
                lines.map { line in
                    .object([
                        "offset": .integer(Int64(line.offset)), "name": .string(line.name),
                        "holder": line.holder.map(JSONValue.string) ?? .null, "output": .bool(line.isOutput),
                        "activeLow": .bool(line.isActiveLow),
                    ])
                }),
        ]
        if let problem { fields["problem"] = .string(problem) }
        return .object(fields)
    }
}

extension CameraState {
    /// For the log, beside what happened: what to do, and what the station does meanwhile.
    var advice: String {
        let goingOn = "the station keeps running and retries"
        let onADesk = "\(goingOn); without a camera: scanstation run --simulate"
        switch self {
        case .permissionDenied, .inUse: return "\(detail ?? name); \(onADesk)"
        // It replays pictures already.
        case .unavailable(.scene): return goingOn
        default: return onADesk
        }
    }
}

extension SessionOutcome {
    var wireName: String {
        switch self {
        case .scanned: "scanned"
        case .noRead(let reason): reason.rawValue
        }
    }
}

extension NoReadEvent {
    /// - Parameter unread: the likeliest code that was before the camera.
    init(_ noRead: NoRead, unread: UnreadCode?) {
        self.init(
            session: noRead.session, trigger: noRead.trigger, reason: noRead.reason, duration: noRead.duration,
            unread: unread)
    }
}

extension CameraInventoryReport {
    package var jsonFields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["cameras": .array(cameras.map(\.json))]
        if let problem { fields["problem"] = .string("\(problem)") }
        if let permissionProblem { fields["permissionProblem"] = .string(permissionProblem) }
        if let libcameraVersion { fields["libcamera"] = .string(libcameraVersion) }
        if let pluginPath { fields["plugin"] = .string(pluginPath) }
        if let fallback { fields["fallback"] = .string(fallback) }
        return fields
    }
}

extension CameraDescription {
    var json: JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(id), "model": .string(model), "location": .string(location),
            "rotation": .integer(Int64(rotation)),
            "formats": .array(
                formats.map { format in
                    .object([
                        "name": .string(format.name), "sizes": .array(format.sizes.map { .string("\($0)") }),
                        "range": .bool(format.isRange),
                    ])
                }),
            "sensorModes": .array(
                sensorModes.map { .string("\($0.size)" + ($0.bitDepth.map { ", \($0) bit" } ?? "")) }),
            "controls": .object(
                Dictionary(controls.map { ($0.name, .string($0.range)) }, uniquingKeysWith: { first, _ in first })),
        ]
        if let pixelArray { fields["pixelArray"] = .string("\(pixelArray)") }
        if let problem { fields["problem"] = .string(problem) }
        return .object(fields)
    }
}
