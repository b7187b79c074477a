/// What reading one frame gave.
package struct ReadResult: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// A decoder ran over the frame.
        case decoded
        /// The change gate held the frame back: the picture is that of an earlier frame, whose symbols are still there.
        case unchanged
        /// The change gate held the frame back: nothing in it has the contrast of a code.
        case blank
        /// The reader process crashed on it; the frame is lost and counted.
        case crashed
        /// A pass of the ladder, beside the frames that are read, or a read that newer ones have overtaken. What it saw is there; what it didn't
        /// see may still be there.
        case climbed
        /// The ladder has come to its end over a picture that held: none of its passes can see any other code.
        case climbedToEnd
        /// Beside the frames that are read: why what looks like a code isn't read. Says nothing about the codes that are.
        case diagnosed
        /// The reader process didn't answer before the deadline; the frame is lost and counted.
        case timedOut
    }

    package var frame: FrameInfo
    /// A frame's own result, neither one of the ladder's nor a diagnosis.
    package var isRead: Bool { outcome != .climbed && outcome != .climbedToEnd && outcome != .diagnosed }
    package var outcome: Outcome
    /// It was read in a thorough turn, which may see what no quick one can.
    package var isThorough: Bool
    /// Symbols inside the viewport, corners on the upright frame. For `unchanged`: those of the earlier frame.
    package var symbols: [Symbol]
    /// `diagnosed`: everything in the viewport that looks like a code and isn't read, the likeliest first. `decoded`: what was read outside the
    /// viewport. Corners on the upright frame.
    package var unread: [UnreadCode]
    /// `decoded`: where codes may be in the frame, read or not, as far as this turn looked. Corners on the upright frame.
    package var places: [CodePlace]
    /// `decoded`, `climbed`: numbers that were read and that the soft reader contradicts; they aren't among the symbols.
    package var refuted: [RefutedCode]
    /// The upright frame's size in pixels, with a diagnosis.
    package var size: FrameSize?
    /// Time spent in the decoders.
    package var decodeTime: Duration

    package init(
        frame: FrameInfo, outcome: Outcome, isThorough: Bool = false, symbols: [Symbol] = [], unread: [UnreadCode] = [],
        places: [CodePlace] = [], refuted: [RefutedCode] = [], size: FrameSize? = nil, decodeTime: Duration = .zero
    ) {
        self.frame = frame
        self.outcome = outcome
        self.isThorough = isThorough
        self.symbols = symbols
        self.unread = unread
        self.places = places
        self.refuted = refuted
        self.size = size
        self.decodeTime = decodeTime
    }
}
