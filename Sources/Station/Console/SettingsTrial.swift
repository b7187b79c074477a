import Journal
import Linux
import Settings
import StationConfiguration
import Vocabulary

/// A change of settings on trial, with its timer and its file.
struct SettingsTrial {
    var machine: SettingsTrialMachine
    private var timer = WakeTimer()
    /// `nil`: this station keeps no changes.
    let keeper: OverlayKeeper?
    /// What people should know about the overlay.
    var notes: [String] = []

    init(_ overlay: ConsoleOverlay?, time: Duration) {
        keeper = overlay.map(OverlayKeeper.init)
        machine = SettingsTrialMachine(kept: overlay?.kept ?? SettingsOverlay(), time: time)
    }

    /// Call after each step of the machine.
    mutating func wait(now: Instant, _ call: @escaping @Sendable () async -> Void) {
        timer.set(at: machine.deadline, now: now, call)
    }

    mutating func stop() { timer.cancel() }
}

/// Reads and writes the overlay's file, one after another. A flush takes as long as the disk takes, so it has a queue of its own.
actor OverlayKeeper {
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
