import CLinux
import Glibc

/// Memory without a name that can be passed on to other processes by its descriptor (memfd), and seals that hold for everybody from then on.
package struct SharedMemory: ~Copyable, Sendable {
    package enum Seal: Sendable {
        /// Both sides write; nobody can change the size: what is mapped stays there.
        case size
        /// The same, and only the holder of a writable mapping that exists can write. Linux 5.1.
        case oneWriter
        /// Nobody can change the size or the content. Fails while a writable mapping exists, even if only in a child that another thread has
        /// forked and that hasn't called exec yet: fill it with `append`.
        case content
    }

    package let byteCount: UInt64
    /// For passing on; closed with this value.
    package let descriptor: Int32

    /// - Parameter name: shows up in /proc/PID/maps.
    package init(_ name: String, byteCount: UInt64) throws(SystemError) {
        let descriptor = CLinux_memfd_create(name, byteCount)
        guard descriptor >= 0 else { throw SystemError(-descriptor) }
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { close(descriptor) }

    package func seal(_ seal: Seal) throws(SystemError) {
        let mode =
            switch seal {
            case .size: CLINUX_SEAL_SIZE
            case .oneWriter: CLINUX_SEAL_FOR_ONE_WRITER
            case .content: CLINUX_SEAL_CONTENT
            }
        let status = CLinux_memfd_seal(descriptor, Int32(mode))
        guard status == 0 else { throw SystemError(-status) }
    }

    /// Writes after what was written before.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = uninterrupted { write(descriptor, rest.baseAddress, rest.count) }
            guard count > 0 else { throw SystemError() }
            written += count
        }
    }

    package func map(isWritable: Bool) throws(SystemError) -> Mapping {
        var error: Int32 = 0
        guard let base = CLinux_map(descriptor, byteCount, isWritable ? 1 : 0, &error) else { throw SystemError(error) }
        return Mapping(base: base, byteCount: byteCount)
    }

    /// Where the memory is in this process, for as long as this value lives. It outlives the descriptor.
    package struct Mapping: ~Copyable, @unchecked Sendable {
        /// Writing through it is a fault if it was mapped for reading.
        package let base: UnsafeMutableRawPointer
        fileprivate let byteCount: UInt64

        fileprivate init(base: UnsafeMutableRawPointer, byteCount: UInt64) {
            self.base = base
            self.byteCount = byteCount
        }

        deinit { CLinux_unmap(base, byteCount) }
    }
}
