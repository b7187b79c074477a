extension String {
    /// Each byte is the scalar of its number (ISO 8859-1).
    package init(latin1 bytes: some Sequence<UInt8>) {
        self.init(UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension StringProtocol {
    /// The beginning, at most this many Unicode scalars: one Swift character may be of any length, with accents upon accents, so counting
    /// characters limits nothing.
    package func prefix(scalars count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }
}
