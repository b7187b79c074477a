/// How hard a reader tries on one frame. `turn` rises with each frame, so that passes (binarizers, rotations, halves of the
/// frame) alternate over frames instead of all running on each.
package enum ReadEffort: Hashable, Sendable {
    /// The cheap pass: fits every frame of a live camera on a slow Pi.
    case quick(turn: UInt32)
    /// A session waits: harder, still bounded.
    case thorough(turn: UInt32)
    /// A still picture: everything that helps, however long.
    case exhaustive
    /// The still reader's next pass, on the newest frame: what idle time is spent on.
    case ladder(LadderOrder)

    /// Where a reader is in the ladder it knows itself; it goes up one pass an order.
    package struct LadderOrder: Hashable, Sendable {
        /// Which round it is since the picture began to move: each begins its later passes at another place, as few may come to
        /// their turn. 0 for a picture that holds.
        package var round: UInt16
        /// Begin a round: what was found up to now counts no longer.
        package var begins: Bool
        /// The picture has been the same since the round began: what an earlier frame showed, this one shows.
        package var holds: Bool

        package init(round: UInt16, begins: Bool, holds: Bool) {
            self.round = round
            self.begins = begins
            self.holds = holds
        }
    }

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

extension ReadEffort {
    package init(_ kind: Kind, turn: UInt32) {
        switch kind {
        case .quick: self = .quick(turn: turn)
        case .thorough: self = .thorough(turn: turn)
        }
    }
}
