import Glibc
import Linux

/// What dpkg's database says of the package: "install ok installed" when all is well.
enum PackageState {
    /// More than any real database of a Pi; what is behind it isn't looked at.
    private static let maxBytes = 16 << 20

    /// `nil`: there is no such database, or the package isn't in it.
    static func read(root: String) -> String? {
        let number = open(root + "/var/lib/dpkg/status", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        var bytes: [UInt8] = []
        while bytes.count < maxBytes, case .bytes(let more) = file.read(limit: 262_144) { bytes += more }
        var isOurs = false
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { isOurs = false }
            if line.elementsEqual("Package: scanstation".utf8) { isOurs = true }
            if isOurs, line.starts(with: "Status: ".utf8) { return String(decoding: line.dropFirst(8), as: UTF8.self) }
        }
        return nil
    }
}
