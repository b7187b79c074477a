extension ReadEffort {
    /// The effort that a live camera's frames are read with; the reader counts the turns.
    package enum Kind: String, Hashable, Sendable {
        case quick
        case thorough

        /// Turns of a full round, at most: after this many reads every pass of the read strategy has had its look. Fewer where
        /// the rules leave some without work. Held against the read plan by a test.
        package var turns: Int {
            switch self {
            case .quick: 14
            case .thorough: 12
            }
        }
    }
}
