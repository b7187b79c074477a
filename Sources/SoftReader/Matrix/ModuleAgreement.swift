/// How many of the modules that are clearly seen are as they should be.
struct ModuleAgreement {
    private(set) var clear = 0
    private(set) var right = 0

    /// The least absolute value of a module that says something.
    static let clear: Float = 0.25

    /// - Parameters:
    ///   - modules: as they should be; `true` is dark.
    ///   - values: as they are seen, -1 for dark to 1 for light.
    init(_ modules: [Bool], _ values: [Float], where counts: (Int) -> Bool) {
        for (index, value) in values.enumerated() where abs(value) > Self.clear && counts(index) {
            clear += 1
            if modules[index] == (value < 0) { right += 1 }
        }
    }

    /// 1 where nothing is seen.
    var part: Double { clear > 0 ? Double(right) / Double(clear) : 1 }
}
