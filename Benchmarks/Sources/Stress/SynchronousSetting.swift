import ArgumentParser

/// SQLite's `synchronous`, by its own names and numbers. The product knows `full` only; the others are mutations.
enum SynchronousSetting: String, CaseIterable, ExpressibleByArgument {
    case off, normal, full

    var number: Int {
        switch self {
        case .off: 0
        case .normal: 1
        case .full: 2
        }
    }
}
