/// The linear codes that are searched together, as they may be told from each other only by what fits better.
package enum BarFamily: Hashable, CaseIterable, Sendable {
    /// EAN-13, EAN-8, UPC-A, UPC-E.
    case retail
    case code128
}

extension BarFamily {
    /// Of the longest code of the family on a line of so many pixels.
    func mostModules(length: Float) -> Int {
        switch self {
        case .retail: BarLayout.ean13.moduleCount
        case .code128:
            min(
                BarLayout.code128Modules(symbols: Code128Ends.symbols.upperBound),
                max(BarLayout.ean13.moduleCount, Int(length / Code128Ends.leastModule)))
        }
    }
}
