/// What a console says of itself; `nil`: as it said before.
package struct ConsoleHello: Hashable, Sendable {
    package static let mostViewers = 100_000

    package var version: String?
    /// How many people look at the page now.
    package var viewers: Int?
    /// The TCP port of its page.
    package var port: Int?
    /// Whether the page is reachable from other machines.
    package var isOnNetwork: Bool?

    package init(version: String? = nil, viewers: Int? = nil, port: Int? = nil, isOnNetwork: Bool? = nil) {
        self.version = version
        self.viewers = viewers
        self.port = port
        self.isOnNetwork = isOnNetwork
    }
}
