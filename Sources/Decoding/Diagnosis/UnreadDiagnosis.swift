import ReaderProtocol
import Vocabulary

/// What isn't read of one picture, and why: where the locator finds something that no decoder has read.
struct UnreadDiagnosis {
    let rules: SymbologyRules
    let locator: Locator

    /// What `DecodeEngine.unreadCodes` returns, of a picture that the decoders can read.
    func codes(of luma: LumaView, besides symbols: [Symbol]) -> [UnreadCode] {
        let (clear, faint) = (locator.regions(of: luma), locator.faintRegions(of: luma))
        let regions = clear + faint
        let (width, height) = (Double(luma.size.width), Double(luma.size.height))
        let codes = symbols.map { $0.corners.mapped { Point(x: $0.x * width, y: $0.y * height) } }
        let picture = LumaPlane(borrowing: luma)
        let candidates = UnreadCandidates(regions.joinedOverGlare(in: picture), besides: codes)
        let (unread, isReading) = UnreadSearch(rules: rules, picture: picture).codes(in: candidates.regions)
        if unread.isEmpty, !isReading, symbols.isEmpty, let look = PictureLook(picture) {
            let corners = Quad(Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1))
            return [UnreadCode(corners: corners, kind: .picture, cause: look.cause, figure: look.figure)]
        }
        return unread.prefix(ReaderLimits.maxUnreadCodes).map { code in
            var code = code
            code.corners = code.corners.normalised(to: luma.size)
            return code
        }
    }
}
