import ReaderProtocol
import Vocabulary

extension DecodeEngine {
    /// Places that look like a code and aren't read, each with the likeliest reason; the likeliest code first.
    ///
    /// - Parameter symbols: what was read of the same picture, with corners normalised to it.
    /// - Returns: at most `ReaderLimits.maxUnreadCodes`, with corners normalised to `luma`, 0…1.
    package func unreadCodes(of luma: LumaView, besides symbols: [Symbol]) -> [UnreadCode] {
        []
    }
}
