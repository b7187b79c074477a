/// In which order the modules of a code are followed, and which of them say whether it is one. Modules are counted row by row, from 0 at the upper left.
struct FollowPlan {
    /// In modules.
    let columns: Int
    let rows: Int
    /// Of each module's middle, in modules: how far it is from where the code's place is known.
    let distances: [Float]
    /// The largest distance at which modules are followed.
    let farthest: Float
    /// From where the code is known, in modules: as far as it is flat enough.
    let firstReach: Float
    /// Modules that are the same in every code of this size: each of these patterns must be seen.
    let patterns: [Pattern]

    struct Pattern {
        let modules: [Module]
        /// How well it must be seen, from -1, inverted, to 1, as drawn: where the code's place is known, and when all of the code is.
        let least: (first: Float, last: Float)

        struct Module {
            let index: Int
            let isDark: Bool
        }
    }

    var size: Place { Place(Float(columns), Float(rows)) }
    var count: Int { columns * rows }

    /// The middle of a module.
    func middle(_ index: Int) -> Place { Place(Float(index % columns) + 0.5, Float(index / columns) + 0.5) }
}
