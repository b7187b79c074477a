extension BinaryInteger {
    /// `1.counted("scan")` is "1 scan", `2.counted("scan")` "2 scans"; words that don't just take an "s" are given whole.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
