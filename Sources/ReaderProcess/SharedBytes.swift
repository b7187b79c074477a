import CLinux
import Glibc

/// The station's memory, mapped for as long as this object lives.
package final class SharedBytes {
    package let base: UnsafeRawPointer
    package let byteCount: UInt64
    /// `nil` if it is only read.
    let writable: UnsafeMutableRawPointer?
    private let mapping: UnsafeMutableRawPointer

    /// `nil` if there is no such memory, or less of it. The caller still owns the descriptor.
    init?(descriptor: Int32, byteCount: UInt64, isWritable: Bool = false) {
        var error: Int32 = 0
        guard descriptor >= 0, lseek(descriptor, 0, SEEK_END) >= Int64(clamping: byteCount),
            let mapping = CLinux_map(descriptor, byteCount, isWritable ? 1 : 0, &error)
        else { return nil }
        self.mapping = mapping
        self.byteCount = byteCount
        base = UnsafeRawPointer(mapping)
        writable = isWritable ? mapping : nil
    }

    deinit { CLinux_unmap(mapping, byteCount) }
}
