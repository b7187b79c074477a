extension String {
    /// Whether it is one line without control characters, fit to show to people.
    package var isOneLine: Bool { !unicodeScalars.contains(where: Self.breaks) }

    /// Itself with a space for each control character and line end.
    package var asOneLine: String {
        isOneLine ? self : String(UnicodeScalarView(unicodeScalars.map { Self.breaks($0) ? " " : $0 }))
    }

    private static func breaks(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
