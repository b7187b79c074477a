/// Why the station can't be asked: what was tried, what happened, what to do.
package struct StationAway: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
