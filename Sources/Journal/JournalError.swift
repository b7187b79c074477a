/// Why the journal couldn't do what it was asked.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, CaseIterable, Hashable, Sendable {
        /// No room, on the disk or within the limits.
        case full
        /// Not open: see the state.
        case unavailable
        /// A file that isn't a journal, or a damaged one.
        case damaged
        /// Written by a newer version of ScanStation.
        case newerVersion
        /// Another process has it open.
        case inUse
        /// What was asked for isn't in it.
        case notFound
        case failed
    }

    package var code: Code
    /// What was tried, what happened, what to do.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
