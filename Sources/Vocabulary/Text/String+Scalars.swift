extension StringProtocol {
    /// The beginning, at most this many Unicode scalars: one Swift character may be of any length, with accents upon accents, so counting
    /// characters limits nothing.
    package func prefix(scalars count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }
}
