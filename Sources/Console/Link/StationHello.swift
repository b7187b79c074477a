import Wire

/// What a station says about itself when the console comes. Fields that an older or newer one lacks have their defaults.
package struct StationHello: Hashable, Sendable {
    package var station: String?
    package var version: String?
    package var address: String?
    package var port: Int?
    package var names: [String] = []
    package var hasDoor = false
    package var firstPassword: FirstPassword?

    /// Whether the first password may be set by button and code.
    package struct FirstPassword: Hashable, Sendable {
        package var isOpen: Bool
        package var why: String?
        /// Whether the page is to be reachable in the network for it.
        package var isForNetwork: Bool
    }

    package init() {}

    package init(_ hello: JSONValue) {
        station = hello["station"]?.stringValue
        version = hello["version"]?.stringValue
        address = hello["address"]?.stringValue
        port = hello["port"]?.integerValue.flatMap { (1...65_535).contains($0) ? Int($0) : nil }
        names = (hello["names"]?.arrayValue ?? []).compactMap(\.stringValue)
        hasDoor = hello["door"]?.boolValue ?? false
        if let first = hello["firstPassword"], let isOpen = first["open"]?.boolValue {
            firstPassword = FirstPassword(
                isOpen: isOpen, why: first["why"]?.stringValue, isForNetwork: first["network"]?.boolValue ?? false)
        }
    }
}
