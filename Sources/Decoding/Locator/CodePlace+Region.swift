import Vocabulary

extension CodePlace {
    /// `nil` for texture, which print and wood show as well.
    init?(_ region: LocatedRegion, in size: FrameSize) {
        let kind: Kind
        switch region.kind {
        case .bars: kind = .bars
        case .finders: kind = .finders
        case .texture: return nil
        }
        self.init(kind: kind, corners: region.corners.normalised(to: size))
    }
}
