/// The bars of one piece of an EAN or UPC code: a digit's or a guard's (ISO/IEC 15420, 4.2).
struct BarPattern: Sendable {
    /// In modules.
    let width: Int
    /// Where bars begin and end, in modules from the piece's left end, in turn.
    let edges: [Int]

    /// - Parameter widths: of spaces and bars in turn, in modules.
    init(_ widths: [Int], beginsWithBar: Bool) {
        width = widths.reduce(0, +)
        var edges: [Int] = []
        var position = 0
        var isBar = beginsWithBar
        for width in widths {
            if isBar { edges += [position, position + width] }
            position += width
            isBar.toggle()
        }
        self.edges = edges
    }

    /// Widths of the digits of set A, which begin with a space.
    private static let setA = [
        [3, 2, 1, 1], [2, 2, 2, 1], [2, 1, 2, 2], [1, 4, 1, 1], [1, 1, 3, 2], [1, 2, 3, 1], [1, 1, 1, 4],
        [1, 3, 1, 2], [1, 2, 1, 3], [3, 1, 1, 2],
    ]

    /// Digits of set A at 0, of set B at 10, of set C at 20; then the guards.
    static let all: [BarPattern] =
        setA.map { BarPattern($0, beginsWithBar: false) }
        + setA.map { BarPattern($0.reversed(), beginsWithBar: false) }
        + setA.map { BarPattern($0, beginsWithBar: true) } + [
            BarPattern([1, 1, 1], beginsWithBar: true), BarPattern([1, 1, 1, 1, 1], beginsWithBar: false),
            BarPattern([1, 1, 1, 1, 1, 1], beginsWithBar: false),
        ]

    /// The edges of all patterns in one piece, six for each, and how many of them there are.
    static let flatEdges: [Int] = all.flatMap { $0.edges + Array(repeating: 0, count: 6 - $0.edges.count) }
    static let edgeCounts: [Int] = all.map(\.edges.count)

    static let setsAB = 0..<20
    static let setC = 20..<30
    /// The guard at both ends.
    static let normalGuard = 30..<31
    static let centreGuard = 31..<32
    /// The right guard of UPC-E.
    static let specialGuard = 32..<33
}
