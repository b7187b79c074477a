import Journal
import Linux
import Logging
import Settings
import StationConfiguration
import Vocabulary
import Wire

/// Settings that are changed over the console: on trial until somebody keeps them. `SettingsTrialMachine` decides.
///
/// Belongs to the station's actor.
final class SettingsTrial {
    private var machine: SettingsTrialMachine
    private var timer = WakeTimer()
    /// `nil`: this station keeps no changes.
    private let keeper: OverlayKeeper?
    /// What people should know about the overlay.
    private var notes: [String] = []
    private let voice: StationVoice

    init(_ overlay: ConsoleOverlay?, time: Duration, voice: StationVoice) {
        keeper = overlay.map(OverlayKeeper.init)
        machine = SettingsTrialMachine(kept: overlay?.kept ?? SettingsOverlay(), time: time)
        self.voice = voice
    }

    func change(
        _ values: [String: JSONValue], revision: String, author: String, in station: isolated Station
    ) async throws -> [String: JSONValue] {
        guard let keeper = keeper else {
            throw CommandRefusal("this station keeps no changes, as it has no state folder: use \"set\"")
        }
        if let key = values.keys.sorted().first(where: { !ConsoleKeys.all.contains($0) }) {
            throw CommandRefusal(
                "\"\(key.prefix(scalars: CommandLimits().maxTextLength))\" can't be on trial: change it in the configuration, "
                    + "or with \"set\"")
        }
        let asked = try Station.texts(of: values)
        // The revision first: a client that has seen something else should look again before anything else is said.
        guard revision == Self.revision(of: station.settings) else { throw SettingsTrialRefusal.outdated }
        let written = RuntimeSettings.values(of: try station.applied(asked))
        // As the file would have them, so that a value's length doesn't depend on how it was sent.
        let proposal = SettingsTrialMachine.Proposal(
            values: asked.reduce(into: [:]) { $0[$1.key] = written[$1.key] ?? $1.value }, author: author)
        let marker = try machine.propose(
            proposal, revision: revision, current: Self.revision(of: station.settings), running: station.settings,
            wallTime: wallTime)
        stop()
        do { try await keeper.write(marker) } catch {
            machine.marked(false)
            wait(in: station)
            throw CommandRefusal("nothing was changed: \(error)")
        }
        machine.marked(true)
        do {
            if station.isStopping { throw CommandRefusal("the station is stopping") }
            let (before, after) = try await station.set(proposal.values)
            machine.applied(at: voice.clock.now, before: before, after: after)
        } catch {
            await clear(machine.notApplied(wallTime: wallTime))
            wait(in: station)
            throw error
        }
        wait(in: station)
        if let trial = machine.trial { tell("onTrial", trial, in: station) }
        return reply(station.settings)
    }

    /// Answers when what was on trial is on disk.
    func keep(revision: String?, in station: isolated Station) async throws -> [String: JSONValue] {
        guard let keeper = keeper, let tried = machine.trial else {
            throw SettingsTrialRefusal.nothingOnTrial
        }
        if let revision, revision != Self.revision(of: station.settings) { throw SettingsTrialRefusal.outdated }
        let overlay = try machine.keep(running: station.settings, wallTime: wallTime)
        stop()
        do { try await keeper.write(overlay) } catch {
            machine.written(false)
            wait(in: station)
            throw CommandRefusal("it wasn't kept and is still on trial: \(error)")
        }
        machine.written(true)
        tell("kept", tried, in: station)
        return reply(station.settings)
    }

    func takeBack(in station: isolated Station) async throws -> [String: JSONValue] {
        await undo(try machine.takeBack(), reason: "asked", in: station)
        return reply(station.settings)
    }

    /// A change goes on over settings that were read again. Returns the settings with it.
    /// - Parameter running: the settings until now.
    func rebase(
        _ running: StationSettings, on merged: StationSettings, _ overlay: ConsoleOverlay?
    ) -> StationSettings {
        let kept = overlay?.kept ?? SettingsOverlay()
        let tried = machine.trial
        let own = tried?.own(in: running) ?? []
        let values = tried?.proposal.values.filter { own.contains($0.key) } ?? [:]
        var (laid, leftOut) = (merged, Set<String>())
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(RuntimeSettingError) {
                laid = try RuntimeSettings.apply(key: key, value: value, to: laid)
            } catch {
                leftOut.insert(key)
                voice.complain("settings", "trial", "\(key) isn't on trial any more: \(error.message)", .warning)
            }
        }
        machine.rebased(
            kept: kept, values: values.filter { !leftOut.contains($0.key) }, before: merged, after: laid)
        return laid
    }

    /// At the start: what was on trial when the station ended is gone, which somebody may wonder about.
    nonisolated(nonsending) func start(_ options: StationOptions, _ settings: StationSettings) async {
        guard let overlay = options.overlay else { return }
        notes = options.overlayNotes
        if let pending = overlay.kept.pending {
            let keys = pending.values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let text =
                "a change by \(pending.author) (\(keys.joined(separator: ", "))) was on trial when the station ended, "
                + "and was taken back"
            notes.append(text)
            voice.note(.warning, kind: "settings", text)
            machine.note(pending, running: settings)
            await clear(machine.kept)
        }
    }

    /// What is wrong with an overlay that was read again.
    func tellNotes(_ notes: [String]) {
        self.notes = notes
        for text in notes { voice.note(.warning, kind: "settings", text) }
    }

    /// The overlay as it is on disk now; `nil`: this station keeps no changes.
    nonisolated(nonsending) func readOverlay() async -> ConsoleOverlay? { await keeper?.read() }

    func stop() { timer.cancel() }

    // MARK: What clients see of it

    /// Changes whenever the value of a setting that a console may change changes.
    static func revision(of settings: StationSettings) -> String {
        let values = RuntimeSettings.values(of: settings).filter { ConsoleKeys.all.contains($0.key) }
        let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
        // FNV-1a, 64 bits: the same after a restart, unlike Swift's own hashes.
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16)
    }

    /// What `status`, `schema` and the commands of a trial answer.
    func reply(_ settings: StationSettings) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["revision": .string(Self.revision(of: settings)), "trial": .null]
        if let trial = machine.trial {
            let before = RuntimeSettings.values(of: trial.before)
            fields["trial"] = .object([
                "values": .object(trial.proposal.values.mapValues(JSONValue.string)),
                "before": .object(
                    trial.proposal.values.keys.reduce(into: [:]) { $0[$1] = before[$1].map(JSONValue.string) ?? .null }),
                "author": .string(trial.proposal.author),
                "leftMs": .number(max(0, voice.clock.now.duration(to: trial.until).milliseconds.rounded())),
            ])
        }
        if let keeper = keeper {
            fields["file"] = .string(keeper.file.path)
            fields["kept"] = .array(machine.kept.values.keys.sorted().map(JSONValue.string))
            fields["notes"] = .array(notes.map(JSONValue.string))
        }
        return ["settings": .object(fields)]
    }

    /// The keys that may be changed here, and what was changed.
    func schema(_ settings: StationSettings) -> [String: JSONValue] {
        let forms = RuntimeSettings.forms(settings).filter { ConsoleKeys.all.contains($0.path) }
        let keys = forms.filter { settings.torch != nil || !$0.path.hasPrefix("torch.") }
        let kept = machine.kept
        var fields = reply(settings)
        fields["keys"] = .array(
            keys.map { $0.json(isFromConsole: kept.values[$0.path] != nil) })
        fields["changes"] = .array(kept.changes.reversed().map(\.json))
        return fields
    }

    private var wallTime: String { WallTime.rfc3339(nanoseconds: voice.clock.wallNanoseconds) }

    private func wait(in station: isolated Station) {
        timer.set(at: machine.deadline, in: station) { await $0.desk.trial.look(in: $0) }
    }

    private func look(in station: isolated Station) async {
        if let tried = machine.look(at: voice.clock.now) {
            await undo(tried, reason: "timeout", in: station)
        } else {
            wait(in: station)
        }
    }

    private func undo(
        _ tried: SettingsTrialMachine.Trial, reason: String, in station: isolated Station
    ) async {
        stop()
        let others = Set(tried.proposal.values.keys).subtracting(tried.own(in: station.settings))
        if reason == "timeout" { machine.note(tried, running: station.settings, wallTime: wallTime) }
        station.resume(tried.undone(in: station.settings))
        if !others.isEmpty {
            voice.note(
                .notice, kind: "settings",
                "\(others.sorted().joined(separator: ", ")) stays: somebody else has set it since it was on trial")
        }
        await clear(machine.kept)
        tell("takenBack", tried, reason: reason, in: station)
    }

    /// A marker that stays on disk does no harm: it is dropped at the next start.
    private nonisolated(nonsending) func clear(_ overlay: SettingsOverlay) async {
        do { try await keeper?.write(overlay) } catch {
            voice.note(
                .warning, kind: "settings", "\(error): the note of a change on trial stays there until the next start")
        }
        machine.cleared()
    }

    /// Not for outputs: it has the author's name, and means nothing to hosts.
    private func tell(
        _ state: String, _ tried: SettingsTrialMachine.Trial, reason: String? = nil, in station: isolated Station
    ) {
        let keys = tried.proposal.values.keys.sorted().joined(separator: ", ")
        let why = reason.map { " (\($0))" } ?? ""
        voice.note(.notice, kind: "settings", "\(keys): \(state)\(why), a change by \(tried.proposal.author)")
        voice.publish(
            state: state, of: "settings", reason: reason, detail: keys, fields: reply(station.settings),
            toOutputs: false)
    }
}

extension SettingsOverlay.Change {
    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = [
            "time": .string(time), "author": .string(author), "key": .string(key), "from": .string(from),
            "to": .string(to),
        ]
        if let fall { fields["back"] = .string(fall.rawValue) }
        return .object(fields)
    }
}

/// Reads and writes the overlay's file, one after another. A flush takes as long as the disk takes, so it has a queue of its own.
private actor OverlayKeeper {
    nonisolated let file: OverlayFile
    private let overruled: Set<String>
    private let queue = QueueExecutor(label: "scanstation.overlay")

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ overlay: ConsoleOverlay) { (file, overruled) = (overlay.file, overlay.overruled) }

    /// Puts a broken one aside.
    func read() -> ConsoleOverlay { ConsoleOverlay(file, overruled: overruled, putsAside: true) }

    func write(_ overlay: SettingsOverlay) throws(SettingsOverlayError) {
        // With `journal.storage: memory` nobody else makes the folder.
        do throws(JournalError) { try StateFolder.make(file.folder) } catch {
            throw SettingsOverlayError(error.message)
        }
        try file.write(overlay)
    }
}
