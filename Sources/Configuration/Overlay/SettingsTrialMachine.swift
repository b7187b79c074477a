import Settings
import Vocabulary

/// Settings that somebody changes from afar are on trial until they are kept: a change that locks its author out, or darkens the picture,
/// takes itself back.
///
/// ```
/// idle ─ propose ─▶ marking ─ marked ─▶ applying ─ applied ─▶ on trial ─ keep ─▶ writing ─ written ─▶ idle
///  ▲ ▲                 │ not marked        │ refused          │   ▲ │               │ not written
///  │ └─────────────────┘                   ▼                  │   │ │ propose       ▼ (on trial again)
///  └──────────── cleared ────────────── clearing ◀────────────┘   └─┴── marking, applying …
///                                                  takeBack, its time is up
/// ```
/// Before a value takes effect, a marker with it is on disk, and the kept values are as they were: a station that ends meanwhile comes back
/// with what was kept, and can say what it dropped. The author of a change on trial may add to it, which starts its time again.
///
/// A value that somebody else sets meanwhile (`ctl set`, a configuration that is read again) is theirs: it is neither kept nor taken back.
package struct SettingsTrialMachine: Sendable {
    /// How long a change is on trial.
    package static let standardTime: Duration = .seconds(60)

    package struct Proposal: Hashable, Sendable {
        /// By key path, as in the configuration file.
        package var values: [String: String]
        /// Untrusted text, for the log of changes.
        package var author: String

        package init(values: [String: String], author: String) { (self.values, self.author) = (values, author) }
    }

    /// Values that are in effect, and what was there before.
    package struct Trial: Hashable, Sendable {
        package var proposal: Proposal
        /// The running settings without and with the values.
        package fileprivate(set) var before: StationSettings
        package fileprivate(set) var after: StationSettings
        package fileprivate(set) var until: Instant

        /// The keys that nobody else has set since.
        package func own(in running: StationSettings) -> Set<String> {
            Set(proposal.values.keys.filter { RuntimeSettings.restore([$0], from: after, into: running) == running })
        }

        /// The running settings without it.
        package func undone(in running: StationSettings) -> StationSettings {
            RuntimeSettings.restore(own(in: running), from: before, into: running)
        }
    }

    private enum Phase {
        case idle
        /// The trial is the one that the proposal adds to.
        case marking(Proposal, Trial?)
        case applying(Proposal, Trial?)
        case onTrial(Trial)
        case writing(Trial, SettingsOverlay)
        case clearing
    }

    /// What was kept so far; nothing is pending in it.
    package private(set) var kept: SettingsOverlay
    private var phase = Phase.idle
    private let time: Duration

    package init(kept: SettingsOverlay = SettingsOverlay(), time: Duration = Self.standardTime) {
        self.kept = kept
        self.kept.pending = nil
        self.time = time
    }

    /// What is on trial.
    package var trial: Trial? {
        switch phase {
        case .onTrial(let trial), .writing(let trial, _): trial
        case .marking(_, let earlier), .applying(_, let earlier): earlier
        case .idle, .clearing: nil
        }
    }

    /// When to `look` next.
    package var deadline: Instant? {
        if case .onTrial(let trial) = phase { trial.until } else { nil }
    }

    /// Somebody wants a change. Returns what has to be on disk before it takes effect; then comes `marked`.
    /// - Parameters:
    ///   - revision: what its author has seen.
    ///   - current: the revision of what runs now.
    ///   - running: the settings now.
    ///   - wallTime: UTC.
    package mutating func propose(
        _ proposal: Proposal, revision: String, current: String, running: StationSettings, wallTime: String
    ) throws(SettingsTrialRefusal) -> SettingsOverlay {
        guard revision == current else { throw .outdated }
        var whole = proposal
        switch phase {
        case .idle: phase = .marking(proposal, nil)
        case .onTrial(let trial) where trial.proposal.author == proposal.author:
            let own = trial.own(in: running)
            whole.values = trial.proposal.values.filter { own.contains($0.key) }.merging(proposal.values) { $1 }
            phase = .marking(whole, trial)
        case .onTrial(let trial), .writing(let trial, _): throw .onTrial(by: trial.proposal.author)
        case .marking(let other, _), .applying(let other, _): throw .onTrial(by: other.author)
        case .clearing: throw .busy
        }
        return marker(whole, wallTime)
    }

    /// - Parameter isOnDisk: otherwise nothing may take effect.
    package mutating func marked(_ isOnDisk: Bool) {
        guard case .marking(let proposal, let earlier) = phase else { return }
        phase = isOnDisk ? .applying(proposal, earlier) : earlier.map(Phase.onTrial) ?? .idle
    }

    /// The values are in effect.
    /// - Parameters:
    ///   - before: the running settings right before that.
    ///   - after: right after.
    package mutating func applied(at now: Instant, before: StationSettings, after: StationSettings) {
        guard case .applying(let proposal, let earlier) = phase else { return }
        var origin = before
        // What an earlier change of this trial has set was something else before.
        if let earlier { origin = earlier.undone(in: before) }
        phase = .onTrial(Trial(proposal: proposal, before: origin, after: after, until: now.advanced(by: time)))
    }

    /// They can't be. Returns what has to be on disk instead of the marker; then comes `cleared`.
    package mutating func notApplied(wallTime: String) -> SettingsOverlay {
        guard case .applying(_, let earlier) = phase else { return kept }
        guard let earlier else {
            phase = .clearing
            return kept
        }
        phase = .onTrial(earlier)
        return marker(earlier.proposal, wallTime)
    }

    /// Returns what has to be on disk before anybody is told that the change is kept; then comes `written`.
    /// - Parameters:
    ///   - running: the settings now.
    ///   - wallTime: for the log of changes, UTC.
    package mutating func keep(
        running: StationSettings, wallTime: String
    ) throws(SettingsTrialRefusal) -> SettingsOverlay {
        guard case .onTrial(let trial) = phase else { throw .nothingOnTrial }
        let own = trial.own(in: running)
        guard !own.isEmpty else { throw .overruled }
        let overlay = kept.keeping(
            trial.proposal.values.filter { own.contains($0.key) }, before: RuntimeSettings.values(of: trial.before),
            author: trial.proposal.author, time: wallTime)
        phase = .writing(trial, overlay)
        return overlay
    }

    /// - Parameter isOnDisk: otherwise the change is still on trial.
    package mutating func written(_ isOnDisk: Bool) {
        guard case .writing(let trial, let overlay) = phase else { return }
        if isOnDisk { kept = overlay }
        phase = isOnDisk ? .idle : .onTrial(trial)
    }

    /// Returns what has to be undone now. Then `kept` has to be on disk without the marker; then comes `cleared`.
    package mutating func takeBack() throws(SettingsTrialRefusal) -> Trial {
        guard case .onTrial(let trial) = phase else { throw .nothingOnTrial }
        phase = .clearing
        return trial
    }

    /// The same because its time is up; `nil`: nothing.
    package mutating func look(at now: Instant) -> Trial? {
        guard case .onTrial(let trial) = phase, now >= trial.until else { return nil }
        phase = .clearing
        return trial
    }

    /// For the log of changes: nobody kept what `look` has just given. Before what `kept` has is written.
    /// - Parameters:
    ///   - running: the settings before it is undone.
    ///   - wallTime: UTC.
    package mutating func note(_ trial: Trial, running: StationSettings, wallTime: String) {
        guard case .clearing = phase else { return }
        let own = trial.own(in: running)
        kept = kept.noting(
            trial.proposal.values.filter { own.contains($0.key) }, before: RuntimeSettings.values(of: trial.before),
            author: trial.proposal.author, time: wallTime, fall: .timeout)
    }

    /// For the log of changes, at the start: what was on trial when the station ended. Before what `kept` has is written.
    /// - Parameter running: the settings without it.
    package mutating func note(_ pending: SettingsOverlay.Pending, running: StationSettings) {
        guard case .idle = phase else { return }
        kept = kept.noting(
            pending.values, before: RuntimeSettings.values(of: running), author: pending.author, time: pending.time,
            fall: .ended)
    }

    /// Even if the disk didn't take it: a marker that stays is dropped at the next start.
    package mutating func cleared() {
        if case .clearing = phase { phase = .idle }
    }

    /// The configuration was read again: the trial goes on over it.
    /// - Parameters:
    ///   - kept: what the overlay's file has now.
    ///   - values: those of the trial that nobody else had set.
    ///   - before: the new running settings without them.
    ///   - after: with them.
    package mutating func rebased(
        kept: SettingsOverlay, values: [String: String], before: StationSettings, after: StationSettings
    ) {
        self.kept = kept
        self.kept.pending = nil
        func rebased(_ trial: Trial) -> Trial {
            var trial = trial
            trial.proposal.values = values
            (trial.before, trial.after) = (before, after)
            return trial
        }
        switch phase {
        case .marking(let proposal, let earlier): phase = .marking(proposal, earlier.map(rebased))
        case .applying(let proposal, let earlier): phase = .applying(proposal, earlier.map(rebased))
        case .onTrial(let trial): phase = .onTrial(rebased(trial))
        case .writing(let trial, let overlay): phase = .writing(rebased(trial), overlay)
        case .idle, .clearing: break
        }
    }

    private func marker(_ proposal: Proposal, _ wallTime: String) -> SettingsOverlay {
        var marker = kept
        marker.pending = .init(time: wallTime, author: proposal.author, values: proposal.values)
        return marker
    }
}

/// Why a change of settings can't be made, kept or taken back.
package enum SettingsTrialRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Somebody else was faster.
    case outdated
    case onTrial(by: String)
    case busy
    case nothingOnTrial
    case overruled

    /// For programs.
    package var code: String {
        switch self {
        case .outdated: "outdated"
        case .onTrial: "onTrial"
        case .busy: "busy"
        case .nothingOnTrial: "nothingOnTrial"
        case .overruled: "overruled"
        }
    }

    package var description: String {
        switch self {
        case .outdated: "the settings have changed since: look at them again, then set what you still want"
        case .onTrial(let author):
            "another change of settings, by \(author), is on trial: it has to be kept or taken back first"
        case .busy: "another change of settings is being taken back: try again in a moment"
        case .nothingOnTrial: "no change of settings is on trial: it was kept, taken back, or its time was up"
        case .overruled:
            "somebody else has since set what was on trial, so nothing is left to keep; what they set applies until the next start"
        }
    }
}
