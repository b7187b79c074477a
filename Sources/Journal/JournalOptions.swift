import Dispatch
import Linux
import Vocabulary

/// What no configuration reaches: whether this version may convert an older journal, and what only tests and the stress harness change.
package struct JournalOptions: Sendable {
    /// SQLite's `synchronous`.
    package enum Synchronous: Int, Sendable {
        /// For the durability test's mutations: commits aren't flushed at all, or only before the log is copied into the file.
        case off = 0
        case normal = 1
        case full = 2
    }

    package var synchronous: Synchronous = .full
    /// For the kill test's mutation: appends and settlements are answered before they are on disk.
    package var answersBeforeCommit = false
    /// Whether the files are looked at while they are open; `false` for the vanish test's mutation.
    package var watchesFiles = true
    /// Called before each transaction's commit, on the writer's thread; may throw a fault or block.
    package var beforeCommit: @Sendable () throws(JournalFault) -> Void = {}
    /// How many bytes the disk of a folder has left; `nil`: ask the system.
    package var freeBytes: (@Sendable () -> UInt64)?
    package var clock = MachineClock.system
    /// Calls the closure once, later, on any thread.
    package var later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { delay, action in
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .nanoseconds(Int(clamping: delay.wholeNanoseconds)), execute: action)
    }
    /// When the whole file is checked after opening; `nil`: never.
    package var checkDelay: Duration? = JournalLimits.checkDelay

    /// Whether a journal of an older format is brought to this version's. `false` for a version on trial: the version before it couldn't read
    /// the journal any more, and so couldn't take its place.
    package var convertsOlder = true

    package init(convertsOlder: Bool = true) { self.convertsOlder = convertsOlder }
}

/// A fault that a test injects in place of the storage's own.
package enum JournalFault: Error, Sendable {
    case diskFull
    case damaged
    case storage(String)
}
