import Settings

/// Takes what a person should know about the journal: what was set aside, dropped or moved, and why. Called on the journal's own threads;
/// must not block.
package typealias JournalLog = @Sendable (_ level: LogSettings.Level, _ message: String) -> Void
