import Vocabulary

/// Where a picture's bytes come from.
package enum PictureSource: Hashable, Sendable, CustomStringConvertible {
    case file(FileName)
    /// Read to its end.
    case standardInput

    /// Its name in messages and records.
    package var description: String {
        switch self {
        case .file(let name): name.description
        case .standardInput: "-"
        }
    }
}
