/// The routes of the API, and who may use them. `Console/Resources/openapi.json` describes the same; a test compares them.
package struct RouteTable: Sendable {
    package enum Access: Hashable, Sendable {
        case open
        case scope(Scope)
        /// Anyone who is signed in, with whatever scope.
        case signedIn
    }

    package enum Operation: String, CaseIterable, Hashable, Sendable {
        case readSession, signIn, signOut, signOutEverywhere, setPassword
        case readState, streamEvents
        case listScans, readScan, exportScans, sendScan
        case giveCommand, nextPreview
        case listOutputs, testOutput
        case readSettings, changeSettings, keepSettings, takeBackSettings, readHealth
        case listTokens, makeToken, deleteToken
        case readOpenAPI
        case askFirstPassword, readFirstPassword, setFirstPassword, withdrawFirstPassword
    }

    package struct Route: Hashable, Sendable {
        package var method: String
        /// Below the base; `{name}` stands for one part.
        package var path: String
        package var access: Access
        package var operation: Operation
    }

    package enum Finding: Hashable, Sendable {
        case found(Route, [String: String])
        /// The path is there, for these methods.
        case otherMethods([String])
        case nothing
    }

    package static let base = "/api/v1"

    package static let routes: [Route] = [
        Route(method: "GET", path: "/session", access: .open, operation: .readSession),
        Route(method: "POST", path: "/session", access: .open, operation: .signIn),
        Route(method: "DELETE", path: "/session", access: .signedIn, operation: .signOut),
        Route(method: "DELETE", path: "/sessions", access: .scope(.manage), operation: .signOutEverywhere),
        Route(method: "PUT", path: "/password", access: .scope(.manage), operation: .setPassword),
        Route(method: "GET", path: "/state", access: .scope(.view), operation: .readState),
        Route(method: "GET", path: "/events", access: .scope(.view), operation: .streamEvents),
        Route(method: "GET", path: "/scans", access: .scope(.view), operation: .listScans),
        Route(method: "GET", path: "/scans/export", access: .scope(.view), operation: .exportScans),
        Route(method: "GET", path: "/scans/{id}", access: .scope(.view), operation: .readScan),
        Route(method: "POST", path: "/scans/{id}/send", access: .scope(.operate), operation: .sendScan),
        Route(method: "POST", path: "/commands", access: .scope(.operate), operation: .giveCommand),
        Route(method: "GET", path: "/preview/next", access: .scope(.preview), operation: .nextPreview),
        Route(method: "GET", path: "/outputs", access: .scope(.view), operation: .listOutputs),
        Route(method: "POST", path: "/outputs/{name}/test", access: .scope(.operate), operation: .testOutput),
        Route(method: "GET", path: "/settings", access: .scope(.view), operation: .readSettings),
        Route(method: "PATCH", path: "/settings", access: .scope(.manage), operation: .changeSettings),
        Route(method: "POST", path: "/settings/keep", access: .scope(.manage), operation: .keepSettings),
        Route(method: "POST", path: "/settings/takeBack", access: .scope(.manage), operation: .takeBackSettings),
        Route(method: "GET", path: "/health", access: .scope(.view), operation: .readHealth),
        Route(method: "GET", path: "/tokens", access: .scope(.manage), operation: .listTokens),
        Route(method: "POST", path: "/tokens", access: .scope(.manage), operation: .makeToken),
        Route(method: "DELETE", path: "/tokens/{id}", access: .scope(.manage), operation: .deleteToken),
        Route(method: "POST", path: "/first-password", access: .open, operation: .askFirstPassword),
        Route(method: "GET", path: "/first-password", access: .open, operation: .readFirstPassword),
        Route(method: "PUT", path: "/first-password", access: .open, operation: .setFirstPassword),
        Route(method: "DELETE", path: "/first-password", access: .open, operation: .withdrawFirstPassword),
        Route(method: "GET", path: "/openapi.json", access: .open, operation: .readOpenAPI),
    ]

    /// - Parameter path: below the base, percent-encoded as it came. The first route that fits counts.
    package static func find(_ method: String, _ path: String) -> Finding {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        var others: [String] = []
        for route in routes {
            guard let parameters = match(route.path, parts) else { continue }
            if route.method == method { return .found(route, parameters) }
            // `/scans/export` isn't a scan.
            others.append(route.method)
        }
        return others.isEmpty ? .nothing : .otherMethods(Array(Set(others)).sorted())
    }

    private static func match(_ template: String, _ parts: [Substring]) -> [String: String]? {
        let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
        guard wanted.count == parts.count else { return nil }
        var parameters: [String: String] = [:]
        for (want, part) in zip(wanted, parts) {
            if want.first == "{" {
                guard let value = PercentEncoding.decode(part), !value.isEmpty, value.unicodeScalars.count <= 256 else {
                    return nil
                }
                parameters[String(want.dropFirst().dropLast())] = value
            } else if want != part {
                return nil
            }
        }
        return parameters
    }
}
