import Glibc
import Linux

/// Which version runs on this machine, and why: a new one on trial, or the one before it. `scanstation-launch` decides that at the start and
/// says it in the environment.
package enum VersionStanding: Hashable, Sendable {
    /// The installed version, which has proved itself, or which was started without the launcher.
    case settled
    /// This version (as the package names it) was just installed, and the one before it is ready to take over.
    case onTrial(String)
    /// This program is the one before the named version, which is installed and did not prove itself.
    case insteadOf(String)
    /// This program is the one before the named version, whose files are being put into their places.
    case whileUnpacking(String)

    /// What the launcher and the program keep about it.
    package static let folder = "/var/lib/scanstation-update"
    /// The launcher's record while the disk is full; it counts before the one in `folder`.
    package static let memoryFolder = "/run/scanstation-update"
    private static let trialVariable = "SCANSTATION_TRIAL"
    private static let insteadVariable = "SCANSTATION_INSTEAD_OF"
    private static let unpackingVariable = "SCANSTATION_UNPACKING"

    init(variables: (String) -> String?) {
        func value(_ name: String) -> String? { variables(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let version = value(Self.unpackingVariable) {
            self = .whileUnpacking(version)
        } else if let failed = value(Self.insteadVariable) {
            self = .insteadOf(failed)
        } else if let version = value(Self.trialVariable) {
            self = .onTrial(version)
        } else {
            self = .settled
        }
    }

    /// What this process was told. The variables are removed, so that no child takes them for its own. Call it before there are other
    /// threads, as `ServiceEnvironment.take`.
    package static func take() -> VersionStanding {
        defer { for name in [trialVariable, insteadVariable, unpackingVariable] { unsetenv(name) } }
        return VersionStanding(variables: Environment.value)
    }

    package var isOnTrial: Bool { if case .onTrial = self { true } else { false } }

    /// For people; `nil`: nothing out of the ordinary.
    package var text: String? {
        switch self {
        case .settled: nil
        case .onTrial(let version):
            "\(version) is on trial until it has run for a minute: the previous version is ready to take over"
        case .insteadOf(let version):
            "\(version) is installed and didn't prove itself: the version before it runs in its place"
        case .whileUnpacking(let version):
            "\(version) is being installed: the version before it runs until that is done"
        }
    }

    /// Ends the trial, for good: from then on the launcher starts this version whatever happens. Does nothing for one that isn't on trial.
    package func confirm(in folder: String = Self.folder) throws(SystemError) {
        guard case .onTrial(let version) = self else { return }
        // The console has another user, and reads it.
        try WholeFile.write(Array("\(version)\n".utf8), to: "\(folder)/confirmed", mode: 0o644)
    }
}
