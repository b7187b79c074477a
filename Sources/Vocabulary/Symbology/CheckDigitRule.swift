/// What becomes of a check digit that a symbology leaves to its user.
package enum CheckDigitRule: String, CaseIterable, Hashable, Sendable {
    /// Not looked at (or done by the symbology itself).
    case none
    /// A wrong one is no read.
    case verify
    /// Verified, then removed from the data.
    case strip
}
