import ScanCore

/// What reading one picture file gave.
public struct PictureResult: Hashable, Sendable {
    /// Corners on the upright picture, normalised 0…1. Also filled when a later pass failed.
    public var symbols: [Symbol] = []
    /// `nil` when the picture couldn't be opened.
    public var size: FrameSize?
    /// Why the picture was not read, or not to the end; one line.
    public var error: String?
    /// What is missing or wrong of a picture that was read all the same; one line.
    public var damage: String?
    /// Reader processes that crashed on it. Reading went on with the next pass each time.
    public var crashes = 0
    /// The deadline ended the read.
    public var timedOut = false
    /// Time spent in the decoders.
    public var decodeTime: Duration = .zero

    public init() {}
}
