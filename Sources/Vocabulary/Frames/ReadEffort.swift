/// How hard a reader tries on one frame. `turn` rises with each frame, so that passes (binarizers, rotations, parts of the
/// frame) alternate over frames instead of all running on each.
package enum ReadEffort: Hashable, Sendable {
    /// A cheap turn: fits every frame of a live camera on a slow Pi.
    case quick(turn: UInt32)
    /// A session waits: harder, still bounded.
    case thorough(turn: UInt32)
    /// A still picture: everything that helps, however long.
    case exhaustive
    /// The still reader's next pass, or some looks at regions, on the newest frame: what idle time is spent on.
    case ladder(LadderOrder)
    /// Nothing is read: why isn't what looks like a code?
    case diagnosis

    /// The reader itself knows where it is in the ladder; each order is for what comes next there.
    package struct LadderOrder: Hashable, Sendable {
        /// 0 for a picture that holds: each frame shows what the one before showed. Otherwise the number of the round since the picture began to move.
        package var round: UInt16
        /// Orders in a round over moving pictures. One that has seen the same picture throughout is followed by the ladder over a picture that holds.
        package static let movingRound = 9

        /// Begin the ladder, or a round: what was found so far no longer counts.
        package var begins: Bool

        package init(round: UInt16, begins: Bool) {
            self.round = round
            self.begins = begins
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
