/// What to do with a check digit that the symbology makes optional.
package enum CheckDigitRule: String, CaseIterable, Hashable, Sendable {
    /// Not checked (or checked by the symbology itself).
    case none
    /// A code with a wrong one isn't read.
    case verify
    /// Verified, then removed from the data.
    case strip
}
