import ReaderProtocol
import Vocabulary

extension DecodeEngine {
    /// Places that look like a code and aren't read, each with the likeliest reason; the likeliest code first. If there are none, and nothing
    /// was read either, what is wrong with the picture.
    ///
    /// - Parameter symbols: what was read of the same picture, with corners normalised to it.
    /// - Returns: at most `ReaderLimits.maxUnreadCodes`, with corners normalised to `luma`, 0…1.
    package func unreadCodes(of luma: LumaView, besides symbols: [Symbol]) -> [UnreadCode] {
        guard canRead(luma) else { return [] }
        let (clear, faint) = (locator.regions(of: luma), locator.faintRegions(of: luma))
        let regions = clear + faint
        let (width, height) = (Double(luma.size.width), Double(luma.size.height))
        let codes = symbols.map { $0.corners.mapped { Point(x: $0.x * width, y: $0.y * height) } }
        let picture = LumaPlane(borrowing: luma)
        let candidates = UnreadCandidates(regions.joinedOverGlare(in: picture), besides: codes)
        let (unread, isReading) = UnreadSearch(rules: symbologyRules, picture: picture).codes(in: candidates.regions)
        if unread.isEmpty, !isReading, symbols.isEmpty, let look = PictureLook(picture) {
            let corners = Quad(Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1))
            return [UnreadCode(corners: corners, kind: .picture, cause: look.cause, figure: look.figure)]
        }
        return unread.prefix(ReaderLimits.maxUnreadCodes).map { code in
            var code = code
            code.corners = code.corners.mapped {
                Point(x: min(max($0.x / width, 0), 1), y: min(max($0.y / height, 0), 1))
            }
            return code
        }
    }
}
