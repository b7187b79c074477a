extension String {
    /// In quotes, for a message: safe for a terminal, so without control characters, and only its first 40 characters.
    package var quoted: String {
        var result = ""
        for scalar in unicodeScalars.prefix(40) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return "\"\(result)\(unicodeScalars.count > 40 ? "…" : "")\""
    }
}
