/// Whether a write comes from our own page. A cookie goes along with requests that another page of the same host makes (SameSite ignores
/// ports), so the browser's word on where it comes from counts.
package enum OriginRule {
    package struct Headers: Hashable, Sendable {
        package var host: String?
        package var origin: String?
        /// `Sec-Fetch-Site`, which pages can't set.
        package var fetchSite: String?

        package init(host: String?, origin: String?, fetchSite: String?) {
            (self.host, self.origin, self.fetchSite) = (host, origin, fetchSite)
        }
    }

    /// For requests with a cookie: one of the two must say so, and none may say otherwise.
    package static func isOwnPage(_ headers: Headers) -> Bool {
        if let origin = headers.origin { return isSame(origin, headers.host) && isOwnSite(headers.fetchSite) != false }
        return isOwnSite(headers.fetchSite) == true
    }

    /// For requests without a cookie, such as signing in: programs send neither header, browsers do.
    package static func isForeignPage(_ headers: Headers) -> Bool {
        if let origin = headers.origin, !isSame(origin, headers.host) { return true }
        return isOwnSite(headers.fetchSite) == false
    }

    /// `nil`: the browser doesn't say.
    private static func isOwnSite(_ fetchSite: String?) -> Bool? { fetchSite.map { $0 == "same-origin" } }

    private static func isSame(_ origin: String, _ host: String?) -> Bool {
        guard let host, !host.isEmpty else { return false }
        return ["http", "https"].contains { origin.lowercased() == "\($0)://\(host.lowercased())" }
    }
}
