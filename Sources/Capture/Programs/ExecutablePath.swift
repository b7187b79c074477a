import Glibc

/// Where the running executable is, and what was installed with it.
enum ExecutablePath {
    /// Without a trailing slash; "." where /proc isn't mounted.
    static var folder: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard length > 0 else { return "." }
        let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Where `place`, such as `share/scanstation/scene`, may be: under the executable's own prefix, which is `/opt/x` for
    /// `/opt/x/bin`, then under `/usr` and `/usr/local`.
    static func installed(_ place: String, executable folder: String = folder) -> [String] {
        let prefix = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ".."
        let own = "\(prefix)/\(place)"
        return [own] + ["/usr/\(place)", "/usr/local/\(place)"].filter { $0 != own }
    }
}
