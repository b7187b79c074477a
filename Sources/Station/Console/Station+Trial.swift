import Logging
import Settings
import StationConfiguration
import Vocabulary
import Wire

/// Settings that are changed over the console: on trial until somebody keeps them. `SettingsTrialMachine` decides.
extension Station {
    func change(
        _ values: [String: JSONValue], revision: String, author: String
    ) async throws -> [String: JSONValue] {
        guard let keeper = desk.trial.keeper else {
            throw CommandRefusal("this station keeps no changes, as it has no state folder: use \"set\"")
        }
        if let key = values.keys.sorted().first(where: { !ConsoleKeys.all.contains($0) }) {
            throw CommandRefusal(
                "\"\(key.prefix(scalars: CommandLimits().maxTextLength))\" can't be on trial: change it in the configuration, "
                    + "or with \"set\"")
        }
        let asked = try texts(of: values)
        // The revision first: whoever has seen something else should look again before anything else is said.
        guard revision == self.revision else { throw SettingsTrialRefusal.outdated }
        let written = RuntimeSettings.values(of: try applied(asked))
        // As the file would have them, so that a value's length doesn't depend on how it was sent.
        let proposal = SettingsTrialMachine.Proposal(
            values: asked.reduce(into: [:]) { $0[$1.key] = written[$1.key] ?? $1.value }, author: author)
        let marker = try desk.trial.machine.propose(
            proposal, revision: revision, current: self.revision, running: settings, wallTime: wallTime)
        desk.trial.stop()
        do { try await keeper.write(marker) } catch {
            desk.trial.machine.marked(false)
            waitForTrial()
            throw CommandRefusal("nothing was changed: \(error)")
        }
        desk.trial.machine.marked(true)
        do {
            if isStopping { throw CommandRefusal("the station is stopping") }
            let (before, after) = try await set(proposal.values)
            desk.trial.machine.applied(at: clock.now, before: before, after: after)
        } catch {
            await clear(desk.trial.machine.notApplied(wallTime: wallTime))
            waitForTrial()
            throw error
        }
        waitForTrial()
        if let trial = desk.trial.machine.trial { tell("onTrial", trial) }
        return trialReply
    }

    /// Answers when what was on trial is on disk.
    func keepChange(revision: String?) async throws -> [String: JSONValue] {
        guard let keeper = desk.trial.keeper, let tried = desk.trial.machine.trial else {
            throw SettingsTrialRefusal.nothingOnTrial
        }
        if let revision, revision != self.revision { throw SettingsTrialRefusal.outdated }
        let overlay = try desk.trial.machine.keep(running: settings, wallTime: wallTime)
        desk.trial.stop()
        do { try await keeper.write(overlay) } catch {
            desk.trial.machine.written(false)
            waitForTrial()
            throw CommandRefusal("it isn't kept, and still on trial: \(error)")
        }
        desk.trial.machine.written(true)
        tell("kept", tried)
        return trialReply
    }

    func takeBackChange() async throws -> [String: JSONValue] {
        await undo(try desk.trial.machine.takeBack(), reason: "asked")
        return trialReply
    }

    /// A change goes on over settings that were read again. Returns the settings with it.
    func rebaseTrial(on merged: StationSettings, _ overlay: ConsoleOverlay?) -> StationSettings {
        let kept = overlay?.kept ?? SettingsOverlay()
        let tried = desk.trial.machine.trial
        let own = tried?.own(in: settings) ?? []
        let values = tried?.proposal.values.filter { own.contains($0.key) } ?? [:]
        var (laid, leftOut) = (merged, Set<String>())
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(RuntimeSettingError) {
                laid = try RuntimeSettings.apply(key: key, value: value, to: laid)
            } catch {
                leftOut.insert(key)
                complain("settings", "trial", "\(key) isn't on trial any more: \(error.message)", .warning)
            }
        }
        desk.trial.machine.rebased(
            kept: kept, values: values.filter { !leftOut.contains($0.key) }, before: merged, after: laid)
        return laid
    }

    /// At the start: what was on trial when the station ended is gone, which somebody may wonder about.
    func tellOverlay() async {
        guard let overlay = options.overlay else { return }
        desk.trial.notes = options.overlayNotes
        if let pending = overlay.kept.pending {
            let keys = pending.values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let text =
                "a change by \(pending.author) (\(keys.joined(separator: ", "))) was on trial when the station ended, "
                + "and was taken back"
            desk.trial.notes.append(text)
            note(.warning, kind: "settings", text)
            await clear(desk.trial.machine.kept)
        }
    }

    /// What is wrong with an overlay that was read again.
    func tellNotes(_ notes: [String]) {
        desk.trial.notes = notes
        for text in notes { note(.warning, kind: "settings", text) }
    }

    // MARK: What clients see of it

    /// Another one whenever a setting has another value that a console may change.
    var revision: String {
        let values = RuntimeSettings.values(of: settings).filter { ConsoleKeys.all.contains($0.key) }
        let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
        // FNV-1a, 64 bits: the same after a restart, unlike Swift's own hashes.
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16)
    }

    var trialReply: [String: JSONValue] {
        var fields: [String: JSONValue] = ["revision": .string(revision), "trial": .null]
        if let trial = desk.trial.machine.trial {
            let before = RuntimeSettings.values(of: trial.before)
            fields["trial"] = .object([
                "values": .object(trial.proposal.values.mapValues(JSONValue.string)),
                "before": .object(
                    trial.proposal.values.keys.reduce(into: [:]) { $0[$1] = before[$1].map(JSONValue.string) ?? .null }),
                "author": .string(trial.proposal.author),
                "leftMs": .number(max(0, clock.now.duration(to: trial.until).milliseconds.rounded())),
            ])
        }
        if let keeper = desk.trial.keeper {
            fields["file"] = .string(keeper.file.path)
            fields["kept"] = .array(desk.trial.machine.kept.values.keys.sorted().map(JSONValue.string))
            fields["notes"] = .array(desk.trial.notes.map(JSONValue.string))
        }
        return ["settings": .object(fields)]
    }

    private var wallTime: String { WallTime.rfc3339(nanoseconds: clock.wallNanoseconds) }

    private func waitForTrial() {
        desk.trial.wait(now: clock.now) { [weak self] in await self?.lookAtTrial() }
    }

    private func lookAtTrial() async {
        if let tried = desk.trial.machine.look(at: clock.now) {
            await undo(tried, reason: "timeout")
        } else {
            waitForTrial()
        }
    }

    private func undo(_ tried: SettingsTrialMachine.Trial, reason: String) async {
        desk.trial.stop()
        let others = Set(tried.proposal.values.keys).subtracting(tried.own(in: settings))
        resume(tried.undone(in: settings))
        if !others.isEmpty {
            note(
                .notice, kind: "settings",
                "\(others.sorted().joined(separator: ", ")) stays: somebody else has set it since it was on trial")
        }
        await clear(desk.trial.machine.kept)
        tell("takenBack", tried, reason: reason)
    }

    /// A marker that stays on disk does no harm: it is dropped at the next start.
    private func clear(_ overlay: SettingsOverlay) async {
        do { try await desk.trial.keeper?.write(overlay) } catch {
            note(.warning, kind: "settings", "\(error): the note of a change on trial stays there until the next start")
        }
        desk.trial.machine.cleared()
    }

    /// Not for outputs: it has the author's name, and means nothing to hosts.
    private func tell(_ state: String, _ tried: SettingsTrialMachine.Trial, reason: String? = nil) {
        let keys = tried.proposal.values.keys.sorted().joined(separator: ", ")
        let why = reason.map { " (\($0))" } ?? ""
        note(.notice, kind: "settings", "\(keys): \(state)\(why), a change by \(tried.proposal.author)")
        publish(
            .state(StateEvent(part: "settings", state: state, reason: reason, detail: keys, fields: trialReply)),
            toOutputs: false)
    }
}
