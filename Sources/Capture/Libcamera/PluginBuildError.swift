/// Why a plugin couldn't be built; what was tried, what happened, what to do.
package struct PluginBuildError: Error, Hashable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// Packages that have to be installed first.
        case missing(packages: [String])
        case noSources
        case noPermission
        case compilerFailed
        case doesNotLoad
        case cannotWrite
    }

    package var kind: Kind
    package var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
