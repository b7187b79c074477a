/// How hard a reader tries on one frame. `turn` rises with each frame, so that passes (binarizers, rotations, parts of the
/// frame) alternate over frames instead of all running on each.
package enum ReadEffort: Hashable, Sendable {
    /// A cheap turn: fits every frame of a live camera on a slow Pi.
    case quick(turn: UInt32)
    /// A session waits: harder, still bounded.
    case thorough(turn: UInt32)
    /// A still picture: everything that helps, however long.
    case exhaustive
    /// The still reader's next pass, on the newest frame: what idle time is spent on.
    case ladder(LadderOrder)
    /// Nothing is read: why isn't what looks like a code?
    case diagnosis

    /// The reader itself knows where it is in the ladder; it goes up one pass per order.
    package struct LadderOrder: Hashable, Sendable {
        /// The number of the round since the picture began to move: each begins its later passes at another place, because few of them may
        /// get their turn. 0 for a picture that holds.
        package var round: UInt16
        /// Passes in a round while the picture moves: those of the still reader's first stage, and a few others, which differ from round to round.
        package static let movingRound = 9

        /// Begin a round: what was found so far no longer counts.
        package var begins: Bool
        /// The picture has been the same since the round began: this frame shows what an earlier one showed.
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

        /// The most turns of a full round: after this many of its kind, every pass of the read strategy has had its turn. Fewer if the rules
        /// leave some passes without work. A test compares it with the read plan.
        package var turns: Int {
            switch self {
            case .quick: 14
            case .thorough: 13
            }
        }
    }
}
