extension BinaryInteger {
    /// `1.counted("scan")` is "1 scan", `2.counted("scan")` "2 scans"; for words that don't just take an "s", give the plural.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
