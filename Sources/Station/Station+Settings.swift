import Capture
import Peripherals
import Settings
import StationConfiguration
import Vocabulary
import Wire

/// Settings that change while the station runs.
extension Station {
    /// Returns once frames are read with it: a trigger that follows must not be answered by a code outside it.
    func set(_ viewport: Viewport) async {
        settings.capture.viewport = viewport
        tell(unread: .stopped(at: clock.now))
        workers.camera.submit { await $0.setViewport(viewport) }
        await workers.reader.result { await $0.setViewport(viewport) }
    }

    /// All or nothing: with a wrong key or value, none of them changes. Returns the settings right before and right after.
    @discardableResult
    func set(_ values: [String: String]) async throws -> (before: StationSettings, after: StationSettings) {
        var new = try applied(values)
        if values.keys.contains("torch.mode"), let mode = new.torch?.mode {
            try await setTorch(mode)
            // Somebody else may have changed something while the line was driven.
            new = try applied(values)
        }
        let before = settings
        adopt(new)
        return (before, new)
    }

    /// Values as they are written in the file.
    func texts(of values: [String: JSONValue]) throws(CommandRefusal) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in values {
            switch value {
            case .string(let string): texts[key] = string
            case .integer, .number, .bool: texts[key] = value.description
            default: throw CommandRefusal("\(key): a value is text, a number, true or false")
            }
        }
        return texts
    }

    /// The running settings with these values, if the station could run with them.
    func applied(_ values: [String: String]) throws -> StationSettings {
        let new = try RuntimeSettings.apply(values, to: settings)
        if let problem = options.decoders?.problem(with: new.reading) { throw CommandRefusal(problem) }
        return new
    }

    /// Takes over what may change while the station runs, by the marks on keys in `Configuration`. Returns the parts whose changes wait for
    /// a restart. If the rest can't work with the changes, throws and changes nothing.
    ///
    /// The overlay is read again, too, and laid over; a change that is on trial goes on over both.
    /// - Parameter new: without the overlay.
    package func reload(_ new: StationSettings) async throws -> [String] {
        guard !isStopping else { throw StationError(.unavailable, "the station is stopping") }
        // What needs a restart is checked, too: it could keep the station from starting.
        try new.check(decoders: options.decoders)
        let overlay = await desk.trial.keeper?.read()
        guard !isStopping else { throw StationError(.unavailable, "the station is stopping") }
        let laid = overlay?.laid(over: new, decoders: options.decoders) ?? new
        let (merged, waiting) = RuntimeSettings.reload(laid, into: settings)
        try merged.check(decoders: options.decoders)
        if let overlay { tellNotes(overlay.notes(over: new, decoders: options.decoders)) }
        // The file's content may have changed even if its name hasn't.
        defer { loadAllowList() }
        let tried = rebaseTrial(on: merged, overlay)
        resume(tried)
        publish(
            state: "reloaded", of: "station",
            detail: waiting.isEmpty ? nil : "restart needed for: \(waiting.joined(separator: ", "))")
        return waiting
    }

    /// Adopts settings of which the torch's mode may be another than before.
    func resume(_ new: StationSettings) {
        let isTorchModeNew = new.torch?.mode != settings.torch?.mode
        adopt(new)
        if isTorchModeNew, let mode = new.torch?.mode { workers.torch.submit { try? await $0.setMode(mode) } }
    }

    /// Tells the parts. Each of `RuntimeSettings.sections` has to be handed here to the parts that it concerns.
    private func adopt(_ new: StationSettings) {
        let old = settings
        // What was told was told by the old ones, and to the outputs that they name.
        if new.reading != old.reading || new.capture != old.capture { tell(unread: .stopped(at: clock.now)) }
        settings = new
        log.update(level: new.log.level.logger, maxPerSecond: new.log.maxPerSecond)
        cameraWatch.hangLimit = new.capture.hangLimit
        if new.capture != old.capture { adopt(new.capture, insteadOf: old.capture) }
        if new.reading != old.reading {
            let reading = new.reading
            workers.reader.submit { await $0.setSettings(reading) }
            feed(.symbologies(reading.symbologies))
        }
        if new.trigger != old.trigger { feed(.settings(new.trigger)) }
        host.settings = new.host
        tell(firstPassword: .barred(firstPasswordBar != nil))
        if new.confirmation != old.confirmation { feed(.confirmation(new.confirmation)) }
        if let torch = new.torch, torch != old.torch {
            workers.torch.submit { await $0.configure(torch) }
        }
    }

    private func adopt(_ new: CaptureSettings, insteadOf old: CaptureSettings) {
        workers.camera.submit { await $0.update(new) }
        workers.reader.submit { reader in
            if new.viewport != old.viewport { await reader.setViewport(new.viewport) }
            if new.viewportMargin != old.viewportMargin { await reader.setMargin(new.viewportMargin) }
            if new.orientation != old.orientation { await reader.setOrientation(new.orientation) }
        }
        if new.idle != old.idle { feed(.idle(new.idle)) }
        if new.idleFrameRate != old.idleFrameRate, machine.cameraDemand == .slow { ask(.slow) }
    }
}
