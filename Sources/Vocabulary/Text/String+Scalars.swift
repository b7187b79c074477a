extension StringProtocol {
    /// The beginning, of at most so many Unicode scalars: what Swift counts as one character may be of any length, with accents
    /// upon accents, so that a number of those limits nothing.
    package func prefix(scalars count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }
}
