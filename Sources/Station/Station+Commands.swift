import Capture
import Delivery
import Peripherals
import Settings
import StationConfiguration
import Vocabulary
import Wire

extension Station {
    /// Carries out a client's command. Session commands are handled at once and in order; commands that touch a device wait for it without
    /// holding up the scan loop.
    package func perform(
        _ command: Command, from door: String = "control", client: ClientID? = nil
    ) async -> Reply {
        counters.commands += 1
        do {
            if isStopping { throw CommandRefusal("the station is stopping") }
            return Reply(command: command.name, fields: try await carryOut(command, from: door, client))
        } catch let refusal as SettingsTrialRefusal {
            counters.commandErrors += 1
            let fields = trialReply.merging(["code": .string(refusal.code)]) { first, _ in first }
            return Reply(command: command.name, error: "\(refusal)", fields: fields)
        } catch {
            counters.commandErrors += 1
            return Reply(command: command.name, error: "\(error)")
        }
    }

    private func carryOut(
        _ command: Command, from door: String, _ client: ClientID?
    ) async throws -> [String: JSONValue] {
        switch command {
        case .status: return await status()
        case .trigger: return try trigger()
        case .release:
            guard machine.sessionID != nil else { throw CommandRefusal("no session is open") }
            feed(.release)
        case .confirm:
            guard machine.waitingSymbol != nil else { throw CommandRefusal("no scan waits for a confirmation") }
            guard settings.confirmation.acceptsCommand else {
                throw CommandRefusal("confirmation.acceptsCommand is off: confirm with the button")
            }
            feed(.confirm)
        case .ack(let id): _ = try find(id)
        case .accept(let id, let relay):
            let scan = try find(id).scan
            return try await answer(HostAnswer(output: door, scan: scan.id, isAccepted: true, relay: relay))
        case .refuse(let id, let reason):
            let scan = try find(id).scan
            return try await answer(HostAnswer(output: door, scan: scan.id, isAccepted: false, reason: reason))
        case .torch(let mode): try await setTorch(mode)
        case .focus(let point): try await focus(at: point)
        case .camera(let id): try await switchCamera(to: id)
        case .viewport(let viewport): await set(viewport)
        case .pause: pause(true)
        case .resume: pause(false)
        case .relay(let duration): try await pulseRelay(duration)
        case .set(let values): try await set(texts(of: values))
        case .change(let values, let revision, let author):
            return try await change(values, revision: revision, author: author ?? door)
        case .keep(let revision): return try await keepChange(revision: revision)
        case .takeBack: return try await takeBackChange()
        case .cameras: return try await cameraList()
        case .lines: return lineList()
        // The socket itself keeps each client's filter; it tells us only so that the command is counted.
        case .subscribe: break
        case .hello(let said): return hello(said, from: client)
        case .identify: parts.feedback.play(.identify)
        case .scans(let query): return try await scans(query)
        case .scan(let id, let secrets): return try await scan(id, secrets: secrets)
        case .sendAgain(let id, let output): return try await sendAgain(id, to: output)
        case .testScan(let output): return try testScan(of: output)
        case .outputs: return await outputList()
        case .doctor: return try await examine()
        case .schema: return schema()
        case .aim(let isOn): return try setAim(isOn)
        case .firstPassword(let request): return try answer(request)
        // The sockets that have pictures take it themselves, because the picture follows the reply.
        case .preview: throw CommandRefusal("a picture can't be sent here: ask on the control socket")
        }
        return [:]
    }

    /// In its turn among the torch's jobs: a capture run that starts turns the torch off, so a command that was sent because the camera
    /// runs must not overtake that.
    func setTorch(_ mode: TorchMode) async throws {
        let done: Void? = try await workers.torch.result { try await $0.setMode(mode) }
        if done == nil {
            throw CommandRefusal("the torch doesn't answer: too many commands wait for it; see its state in status")
        }
    }

    /// The session that is open now: a new one, or the one that was.
    private func trigger() throws -> [String: JSONValue] {
        guard !machine.isPaused else { throw CommandRefusal("the station is paused: send resume first") }
        guard settings.trigger.mode.isTriggered else {
            throw CommandRefusal(
                "trigger.mode is \(settings.trigger.mode.rawValue), which always looks: "
                    + "set trigger.mode to level, pulse or host for sessions")
        }
        guard keeping.isKeeping else {
            guard keeping.isRefusing, let detail = health.journal.detail else {
                throw CommandRefusal("the journal is being opened: try again in a moment")
            }
            tell(keeping: .asked)
            throw CommandRefusal("no scan can be kept: \(detail)")
        }
        guard !readiness.isCameraLost else {
            let camera = readiness.camera
            throw CommandRefusal("the camera is \(camera.name)\(camera.detail.map { ": \($0)" } ?? "")")
        }
        feed(.trigger)
        return machine.sessionID.map { ["session": .count($0)] } ?? [:]
    }

    private func pause(_ isOn: Bool) {
        guard isOn != machine.isPaused else { return }
        if !isOn { workers.camera.submit { await $0.resume() } }
        feed(isOn ? .pause : .resume)
        publish(state: isOn ? "paused" : "resumed", of: "station")
    }

    private func find(_ id: String?) throws -> ScanEvent {
        guard let id else { throw CommandRefusal("name the scan by its \"id\"") }
        guard let event = host.find(id) else {
            throw CommandRefusal("no scan with the id \(id) among the last \(HostDesk.scanLimit)")
        }
        return event
    }

    func pulseRelay(_ duration: Duration?) async throws {
        guard let relay = parts.relay else {
            throw CommandRefusal("no relay is configured: set relay.line")
        }
        let length = try await relay.pulse(duration)
        publish(state: "pulsed", of: "relay", fields: ["durationMs": .number(length.milliseconds)])
    }

    private func focus(at point: Point?) async throws {
        guard readiness.camera == .running else {
            throw CommandRefusal("the camera is \(readiness.camera.name): there is nothing to focus")
        }
        let report = await workers.camera.result { camera in
            await camera.focus(at: point)
            return await camera.report()
        }
        if let skipped = report?.skipped.first(where: { $0.setting.hasPrefix("capture.focus") }) {
            throw CommandRefusal("the camera can't be focused: \(skipped.reason)")
        }
    }

    private func switchCamera(to id: String) async throws {
        let inventory = await parts.capture.inventory()
        guard let camera = inventory.cameras.first(where: { $0.id.hasPrefix(id) }) else {
            let known = inventory.cameras.map(\.id).joined(separator: ", ")
            throw CommandRefusal("no camera with the id \"\(id)\"; there is: \(known.isEmpty ? "none" : known)")
        }
        // Remembered, or the next change of another setting would switch back.
        settings.capture.camera = camera.id
        workers.camera.submit { await $0.switchCamera(to: camera.id) }
    }
}

/// Why a command wasn't carried out, and what to do.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
