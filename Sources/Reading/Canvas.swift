import CLinux
import Glibc
import ReaderProtocol
import Vocabulary

/// Memory that a reader process draws a frame into. Its size is sealed, so that nobody can take it away under our reading; its
/// content is whatever the process makes it, at any time: it is copied before it is used.
final class Canvas {
    let byteCount: UInt64
    /// To be passed on; closed with the canvas.
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
            throw ReaderError("no memory for a frame of \(frame): \(systemMessage(-descriptor))")
        }
        var error = -CLinux_memfd_seal(descriptor, Int32(CLINUX_SEAL_SIZE))
        guard error == 0, let base = CLinux_map(descriptor, byteCount, 0, &error) else {
            close(descriptor)
            throw ReaderError("memory for a frame of \(frame) can't be shared: \(systemMessage(error))")
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

    /// As the process leaves it, and may change it at any time: to be copied before it is looked at.
    var pixels: UnsafeRawPointer { UnsafeRawPointer(base) }

    /// The first so many bytes.
    func copy(count: Int) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: base, count: min(count, Int(byteCount))))
    }
}
