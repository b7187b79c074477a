import Vocabulary

/// The result of reading one picture file.
package struct PictureResult: Hashable, Sendable {
    /// With corners on the upright picture, normalised 0…1. Also filled if a later pass failed.
    package var symbols: [Symbol] = []
    /// What looks like a code and wasn't read, if that was asked for; corners likewise.
    package var unread: [UnreadCode] = []
    /// `nil` if the picture couldn't be opened.
    package var size: FrameSize?
    /// Why the picture was not read, or not to the end; one line.
    package var error: String?
    /// What is missing or wrong in a picture that was read anyway; one line.
    package var damage: String?
    /// Reader processes that crashed on it. Reading went on with the next pass each time.
    package var crashes = 0
    /// The deadline ended the read.
    package var timedOut = false
    /// Time spent in the decoders.
    package var decodeTime: Duration = .zero

    package init() {}
}
