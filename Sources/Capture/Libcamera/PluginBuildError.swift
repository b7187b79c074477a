/// Why a plugin couldn't be built; what was tried, what happened, what to do.
public struct PluginBuildError: Error, Hashable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// Packages that have to be installed first.
        case missing(packages: [String])
        case noSources
        case noPermission
        case compilerFailed
        case doesNotLoad
        case cannotWrite
    }

    public var kind: Kind
    public var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
