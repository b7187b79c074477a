import Glibc
import Linux

/// The machine's own name, for stations that have none configured.
enum StationHost {
    static var name: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "scanstation" }
        let name = String(untilNUL: bytes)
        return name.isEmpty ? "scanstation" : name
    }
}
