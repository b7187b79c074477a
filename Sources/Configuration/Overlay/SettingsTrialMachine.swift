import Settings
import Vocabulary

/// Settings that somebody changes from afar are on trial until they are kept: a change that locks its author out, or darkens the picture,
/// takes itself back.
///
/// ```
/// idle ─ propose ─▶ applying ─ applied ─▶ on trial ─ keep ─▶ writing ─ written ─▶ idle, a revision later
///   ▲                  │ refused             │ takeBack, or its time is up   │ not written: on trial again
///   └──────────────────┴─────────────────────┘
/// ```
/// Nothing is on disk before `keep`, so a station that ends meanwhile comes back with what was kept.
package struct SettingsTrialMachine: Sendable {
    /// How long a change is on trial.
    package static let standardTime: Duration = .seconds(60)

    package struct Proposal: Hashable, Sendable {
        /// By key path, as in the configuration file.
        package var values: [String: String]
        /// Untrusted text, for the log of changes.
        package var author: String
        /// The running settings that the values were applied to.
        package var before: StationSettings

        package init(values: [String: String], author: String, before: StationSettings) {
            (self.values, self.author, self.before) = (values, author, before)
        }
    }

    private enum Phase {
        case idle
        case applying(Proposal)
        case onTrial(Proposal, until: Instant)
        case writing(Proposal, until: Instant)
    }

    /// What was kept so far.
    package private(set) var kept: SettingsOverlay
    private var phase = Phase.idle
    private let time: Duration

    package init(kept: SettingsOverlay = SettingsOverlay(), time: Duration = Self.standardTime) {
        self.kept = kept
        self.time = time
    }

    /// What is on trial, and until when.
    package var trial: (proposal: Proposal, until: Instant)? {
        switch phase {
        case .onTrial(let proposal, let until), .writing(let proposal, let until): (proposal, until)
        case .idle, .applying: nil
        }
    }

    /// When to `look` next.
    package var deadline: Instant? {
        if case .onTrial(_, let until) = phase { until } else { nil }
    }

    /// Somebody wants a change. The shell applies it, then calls `applied` or `notApplied`.
    /// - Parameter revision: what its author has seen.
    package mutating func propose(_ proposal: Proposal, revision: UInt64) throws(SettingsTrialRefusal) {
        guard revision == kept.revision else { throw .outdated(current: kept.revision) }
        guard case .idle = phase else { throw .busy }
        phase = .applying(proposal)
    }

    package mutating func applied(at now: Instant) {
        guard case .applying(let proposal) = phase else { return }
        phase = .onTrial(proposal, until: now.advanced(by: time))
    }

    package mutating func notApplied() {
        guard case .applying = phase else { return }
        phase = .idle
    }

    /// Returns what has to be on disk before anybody is told that the change is kept; then comes `written`.
    /// - Parameter wallTime: for the log of changes, UTC.
    package mutating func keep(wallTime: String) throws(SettingsTrialRefusal) -> SettingsOverlay {
        guard case .onTrial(let proposal, let until) = phase else { throw .nothingOnTrial }
        phase = .writing(proposal, until: until)
        return kept.keeping(
            proposal.values, before: RuntimeSettings.values(of: proposal.before), author: proposal.author,
            time: wallTime)
    }

    /// - Parameter overlay: what is on disk now; `nil` if it couldn't be written.
    package mutating func written(_ overlay: SettingsOverlay?) {
        guard case .writing(let proposal, let until) = phase else { return }
        if let overlay {
            kept = overlay
            phase = .idle
        } else {
            phase = .onTrial(proposal, until: until)
        }
    }

    /// Returns what has to be undone now.
    package mutating func takeBack() throws(SettingsTrialRefusal) -> Proposal {
        guard case .onTrial(let proposal, _) = phase else { throw .nothingOnTrial }
        phase = .idle
        return proposal
    }

    /// Returns what has to be undone now, as its time is up; `nil`: nothing.
    package mutating func look(at now: Instant) -> Proposal? {
        guard case .onTrial(let proposal, let until) = phase, now >= until else { return nil }
        phase = .idle
        return proposal
    }
}

/// Why a change of settings can't be made, kept or taken back.
package enum SettingsTrialRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Somebody else was faster.
    case outdated(current: UInt64)
    case busy
    case nothingOnTrial

    package var description: String {
        switch self {
        case .outdated(let current):
            "the settings have changed since (revision \(current) now): look at them again, then set what you still want"
        case .busy: "another change of settings is on trial: keep it or take it back first"
        case .nothingOnTrial: "no change of settings is on trial: it was kept, taken back, or its time was up"
        }
    }
}
