import ReaderProtocol
import Vocabulary

extension DecodeEngine {
    /// Places that look like a code and aren't read, each with the likeliest reason; the likeliest code first.
    ///
    /// - Parameter symbols: what was read of the same picture, with corners normalised to it.
    /// - Returns: at most `ReaderLimits.maxUnreadCodes`, with corners normalised to `luma`, 0…1.
    package func unreadCodes(of luma: LumaView, besides symbols: [Symbol]) -> [UnreadCode] {
        let (clear, faint) = (locator.regions(of: luma), locator.faintRegions(of: luma))
        let regions = clear + faint
        guard !regions.isEmpty else { return [] }
        let (width, height) = (Double(luma.size.width), Double(luma.size.height))
        let codes = symbols.map { $0.corners.mapped { Point(x: $0.x * width, y: $0.y * height) } }
        let picture = LumaPlane(borrowing: luma)
        let candidates = UnreadCandidates(regions.joinedOverGlare(in: picture), besides: codes)
        let unread = UnreadSearch(rules: symbologyRules, picture: picture).codes(in: candidates.regions)
        return unread.prefix(ReaderLimits.maxUnreadCodes).map { code in
            var code = code
            code.corners = code.corners.mapped {
                Point(x: min(max($0.x / width, 0), 1), y: min(max($0.y / height, 0), 1))
            }
            return code
        }
    }
}
