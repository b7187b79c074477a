import Linux

/// What dpkg's database says of the package: "install ok installed" when all is well.
enum PackageState {
    /// More than any real database of a Pi; what is behind it isn't looked at.
    private static let maxBytes = 16 << 20

    /// `nil`: there is no such database, or the package isn't in it.
    static func read(root: String) -> String? {
        guard let bytes = Files.read(root + "/var/lib/dpkg/status", limit: maxBytes).start else { return nil }
        var isOurs = false
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { isOurs = false }
            if line.elementsEqual("Package: scanstation".utf8) { isOurs = true }
            if isOurs, line.starts(with: "Status: ".utf8) { return String(decoding: line.dropFirst(8), as: UTF8.self) }
        }
        return nil
    }
}
