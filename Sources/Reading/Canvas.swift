import CLinux
import Glibc
import Linux
import ReaderProtocol
import Vocabulary

/// Memory that a reader process draws a frame into. Its size is sealed, so that nobody can shrink it while we read. The process may change
/// its content at any time, so copy it before using it.
final class Canvas {
    let byteCount: UInt64
    /// For passing on; closed with the canvas.
    let descriptor: Int32
    private let base: UnsafeMutableRawPointer

    init(frame: FrameSize) throws(ReaderError) {
        guard frame.isReadable else {
            throw ReaderError("a frame of \(frame) can't be drawn: set capture.resolution to another size")
        }
        let byteCount = UInt64(frame.width * frame.height)
        guard byteCount <= ReaderLimits.maxRingBytes else {
            throw ReaderError("a frame of \(frame) needs \(byteCount >> 20) MB: lower capture.resolution")
        }
        let descriptor = CLinux_memfd_create("scanstation-canvas", byteCount)
        guard descriptor >= 0 else {
            throw ReaderError("no memory for a frame of \(frame): \(SystemError(-descriptor).text)")
        }
        var error = -CLinux_memfd_seal(descriptor, Int32(CLINUX_SEAL_SIZE))
        guard error == 0, let base = CLinux_map(descriptor, byteCount, 0, &error) else {
            close(descriptor)
            throw ReaderError("memory for a frame of \(frame) can't be shared: \(SystemError(error).text)")
        }
        self.byteCount = byteCount
        self.descriptor = descriptor
        self.base = base
    }

    deinit {
        CLinux_unmap(base, byteCount)
        close(descriptor)
    }

    func holds(_ frame: FrameSize) -> Bool { UInt64(frame.width * frame.height) == byteCount }

    /// The process may change this at any time: copy it before looking at it.
    var pixels: UnsafeRawPointer { UnsafeRawPointer(base) }

    /// The first `count` bytes.
    func copy(count: Int) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: base, count: min(count, Int(byteCount))))
    }
}
