import Vocabulary

/// Finds the reason for each region: what a decoder reads of it says most; otherwise its pixels are measured.
struct UnreadSearch {
    let picture: LumaPlane
    private let trial: RegionTrial

    init(rules: SymbologyRules, picture: LumaPlane) {
        self.picture = picture
        trial = RegionTrial(rules: rules)
    }

    /// - Returns: what isn't read, with corners in pixels, a place once; and whether something is about to be read.
    func codes(in regions: [LocatedRegion]) -> (unread: [UnreadCode], isReading: Bool) {
        var codes: [UnreadCode] = []
        /// The regions of what is about to be read.
        var read: [LocatedRegion] = []
        for region in regions {
            let isKnown =
                codes.contains { region.belongs(to: $0.corners) } || read.contains { region.belongs(to: $0.corners) }
            guard !isKnown else { continue }
            guard mayBeCode(region) else { continue }
            switch trial.outcome(at: region, of: picture) {
            case .admitted: read.append(region)
            case .refused(let cause, let figure, let symbology):
                codes.append(
                    UnreadCode(
                        corners: region.corners, kind: symbology.isLinear ? .linear : .matrix,
                        moduleWidth: region.module > 0 ? region.module : nil, cause: cause, figure: figure,
                        symbology: symbology))
            case .nothing:
                switch region.kind {
                case .bars: measureBars(region, &codes, &read)
                case .finders, .texture: measureMatrix(region, &codes)
                }
            }
        }
        return (codes, !read.isEmpty)
    }

    private func mayBeCode(_ region: LocatedRegion) -> Bool {
        region.kind == .bars
            ? BarDiagnosis.mayBeCode(region, in: picture) : MatrixDiagnosis(region, in: picture)?.mayBeCode ?? false
    }

    private func measureBars(_ region: LocatedRegion, _ codes: inout [UnreadCode], _ read: inout [LocatedRegion]) {
        let soft = trial.softLook(at: region, of: picture)
        if let soft {
            switch trial.outcome(of: soft) {
            case .admitted: return read.append(region)
            case .refused(let cause, let figure, let symbology):
                return codes.append(
                    UnreadCode(
                        corners: region.corners, kind: .linear, moduleWidth: Double(soft.moduleWidth), cause: cause,
                        figure: figure, symbology: symbology))
            case .nothing: break
            }
        }
        guard !trial.isReadAsLong(region, of: picture) else { return read.append(region) }
        guard let diagnosis = BarDiagnosis(region, soft, in: picture), diagnosis.isCode,
            let (cause, figure) = diagnosis.cause(in: picture)
        else { return }
        codes.append(
            UnreadCode(
                corners: diagnosis.corners, kind: .linear, moduleWidth: diagnosis.module, cause: cause, figure: figure))
    }

    private func measureMatrix(_ region: LocatedRegion, _ codes: inout [UnreadCode]) {
        guard let diagnosis = MatrixDiagnosis(region, in: picture), diagnosis.isCode,
            let (cause, figure) = diagnosis.cause(in: picture)
        else { return }
        codes.append(
            UnreadCode(
                corners: diagnosis.region.corners, kind: .matrix, moduleWidth: diagnosis.module, cause: cause,
                figure: figure))
    }
}
