import Glibc
import Vocabulary

extension FileName {
    /// The name in an entry of a folder, as `readdir` gives it.
    package init(entry: UnsafeMutablePointer<dirent>) {
        self = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { FileName(cString: $0) }
        }
    }
}
