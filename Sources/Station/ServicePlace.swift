import Wire

/// How this station was started: what a person at the console has to type to change its configuration.
package struct ServicePlace: Hashable, Sendable {
    /// The configuration file; it need not be there.
    package var configuration = "/etc/scanstation/station.yaml"
    package var hasConfiguration = false
    /// Whether a service manager runs it, and not somebody's terminal.
    package var isService = false
    /// As it is typed: `scanstation`, or its path where that isn't installed.
    package var program = "scanstation"

    /// Where the user who started it in a terminal may write; `nil` for a service.
    package var folder: String?

    package init() {}

    var json: JSONValue {
        [
            "file": .string(configuration), "exists": .bool(hasConfiguration), "service": .bool(isService),
            "program": .string(program), "folder": folder.map(JSONValue.string) ?? .null,
        ]
    }
}
