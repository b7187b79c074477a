/// What the station writes beside the scans, to find it again after a restart.
package enum JournalNote: String, CaseIterable, Hashable, Sendable {
    /// How reading went, a day at a time.
    case readingFigures
}
