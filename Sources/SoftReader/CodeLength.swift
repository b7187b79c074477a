/// A number of symbols that a code of any length may have; where a code has two widths, with that of its wide bars.
struct CodeLength: Hashable {
    enum Kind: Hashable {
        case code128, code93
        /// With the steps of its wide bars.
        case code39(wide: Int), itf14(wide: Int), codabar(wide: Int)
    }

    let kind: Kind
    /// With start, check and stop.
    let symbols: Int
    /// From the first bar to the last one.
    let modules: Float

    private init(_ kind: Kind, symbols: Int) {
        self.kind = kind
        self.symbols = symbols
        switch kind {
        // 11 each, and the bar that ends the stop.
        case .code128: modules = Float(11 * symbols + 2)
        // Six narrow and three wide ones each, and the gaps between.
        case .code39(let wide):
            modules = Float(symbols) * Self.width(wide) + Float(symbols - 1)
        case .itf14(let wide): modules = BarLayout.itf14(wide: wide).modules
        // The bar that ends the stop.
        case .code93: modules = Float(BarPattern.code93Width * symbols + 1)
        case .codabar(let wide): modules = BarLayout.codabar(symbols: symbols, wide: wide).modules
        }
    }

    /// From one character, or three of Code 39 and four of Codabar, which have no check character, to what is on nearly all labels: each length that is tried takes time.
    private static let code128 = (4...36).map { CodeLength(.code128, symbols: $0) }
    private static let code39 = BarPattern.wides.flatMap { wide in
        (5...24).map { CodeLength(.code39(wide: wide), symbols: $0) }
    }
    private static let itf14 = BarPattern.wides.map { CodeLength(.itf14(wide: $0), symbols: 9) }

    private static let code93 = (5...28).map { CodeLength(.code93, symbols: $0) }
    private static let codabar = BarPattern.wides.flatMap { wide in
        (CodabarText.least + 2...20).map { CodeLength(.codabar(wide: wide), symbols: $0) }
    }

    /// None of a family whose codes have lengths of their own.
    static func all(of family: BarFamily) -> [CodeLength] {
        switch family {
        case .retail: []
        case .code128: code128
        case .code39: code39
        case .itf14: itf14
        case .code93: code93
        case .codabar: codabar
        }
    }

    var layout: BarLayout {
        switch kind {
        case .code128: .code128(symbols: symbols)
        case .code39(let wide): .code39(symbols: symbols, wide: wide)
        case .itf14(let wide): .itf14(wide: wide)
        case .code93: .code93(symbols: symbols)
        case .codabar(let wide): .codabar(symbols: symbols, wide: wide)
        }
    }

    /// What may stand at the left end: edges in modules from there, in turn, up to the first one of what follows.
    var starts: [[Float]] {
        switch kind {
        case .code128:
            BarPattern.code128Starts.map { (BarPattern.all[$0].edges + [BarPattern.all[$0].width]).map(Float.init) }
        case .code39(let wide):
            [Self.asterisk(wide, hasGap: true)]
        case .itf14: [[0, 1, 2, 3, 4]]
        case .code93:
            BarPattern.code93Asterisk.map { (BarPattern.all[$0].edges + [BarPattern.code93Width]).map(Float.init) }
        case .codabar(let wide): Self.codabarGuards(wide, isStart: true).map { $0.edges + [$0.width] }
        }
    }

    /// What may stand at the right end: edges in modules from there to the left, in turn, up to the last one of what precedes.
    var stops: [[Float]] {
        switch kind {
        case .code128:
            // The stop's last bar is 2 modules wide.
            [Self.mirrored((BarPattern.all[BarPattern.code128Stop.lowerBound].edges + [11, 13]).map(Float.init))]
        case .code39(let wide):
            [Self.mirrored(Self.asterisk(wide, hasGap: false)) + [Self.width(wide) + 1]]
        case .itf14(let wide): [[0, 1, 2, 2 + Float(wide) / Float(BarPattern.quarters)]]
        case .code93:
            BarPattern.code93Asterisk.map {
                let edges = BarPattern.all[$0].edges + [BarPattern.code93Width, BarPattern.code93Width + 1]
                return Self.mirrored(edges.map(Float.init)) + [Float(BarPattern.code93Width + 2)]
            }
        case .codabar(let wide):
            Self.codabarGuards(wide, isStart: false).map { Self.mirrored($0.edges) + [$0.width + 1] }
        }
    }

    /// Modules of start and of stop that are compared: beyond, what nobody knows yet blurs into them.
    var compared: (start: Float, stop: Float) {
        switch kind {
        case .code128, .code39: (9.5, 9.5)
        case .code93: (7.5, 8.5)
        // The narrowest letter has ten.
        case .codabar: (8.5, 8.5)
        // The bar behind the start and the space before the stop have a module at least.
        case .itf14(let wide): (3.5, 1.5 + Float(wide) / Float(BarPattern.quarters))
        }
    }

    private static func asterisk(_ wide: Int, hasGap: Bool) -> [Float] {
        let pattern = BarPattern.all[BarPattern.code39First(wide: wide, hasGap: hasGap) + BarPattern.code39Symbols - 1]
        return (pattern.edges + (hasGap ? [pattern.width] : [])).map { Float($0) / Float(BarPattern.quarters) }
    }

    /// In modules.
    private static func codabarGuards(_ wide: Int, isStart: Bool) -> [(edges: [Float], width: Float)] {
        BarPattern.codabarLetters(wide: wide, isStart: isStart).map { index in
            let (pattern, step) = (BarPattern.all[index], 1 / Float(BarPattern.quarters))
            return (pattern.edges.map { Float($0) * step }, Float(pattern.width) * step)
        }
    }

    private static func width(_ wide: Int) -> Float { 6 + 3 * Float(wide) / Float(BarPattern.quarters) }

    private static func mirrored(_ edges: [Float]) -> [Float] {
        guard let width = edges.last else { return edges }
        return edges.reversed().map { width - $0 }
    }
}
