import Glibc

/// The machine's own name, for stations that have none configured.
enum StationHost {
    static var name: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "scanstation" }
        let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return name.isEmpty ? "scanstation" : String(decoding: name, as: UTF8.self)
    }
}
