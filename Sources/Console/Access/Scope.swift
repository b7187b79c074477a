/// What somebody may do at the console.
package enum Scope: String, CaseIterable, Hashable, Sendable {
    /// State, events and scans, secrets withheld.
    case view
    /// The camera's picture, which shows what `secrets` hides.
    case preview
    /// Commands to the station.
    case operate
    /// Settings, tokens, the password, and scans with their secrets.
    case manage

    package static let all = Set(allCases)

    /// In the order of their declaration, as they are listed.
    package static func names(_ scopes: Set<Scope>) -> [String] { allCases.filter(scopes.contains).map(\.rawValue) }
}
