import Linux
import ReaderProtocol
import Vocabulary

/// Memory that a reader process draws a frame into. Its size is sealed, so that nobody can shrink it while we read. The process may change
/// its content at any time, so copy it before using it.
final class Canvas {
    private let memory: SharedMemory
    private let mapping: SharedMemory.Mapping

    init(frame: FrameSize) throws(ReaderError) {
        guard frame.isReadable else {
            throw ReaderError("a frame of \(frame) can't be drawn: set capture.resolution to another size")
        }
        let byteCount = UInt64(frame.width * frame.height)
        guard byteCount <= ReaderLimits.maxRingBytes else {
            throw ReaderError("a frame of \(frame) needs \(byteCount >> 20) MB: lower capture.resolution")
        }
        do throws(SystemError) {
            memory = try SharedMemory("scanstation-canvas", byteCount: byteCount)
        } catch { throw ReaderError("no memory for a frame of \(frame): \(error.text)") }
        do throws(SystemError) {
            try memory.seal(.size)
            mapping = try memory.map(isWritable: false)
        } catch { throw ReaderError("memory for a frame of \(frame) can't be shared: \(error.text)") }
    }

    var byteCount: UInt64 { memory.byteCount }

    /// For passing on; closed with the canvas.
    var descriptor: Int32 { memory.descriptor }

    func holds(_ frame: FrameSize) -> Bool { UInt64(frame.width * frame.height) == byteCount }

    /// The process may change this at any time: copy it before looking at it.
    var pixels: UnsafeRawPointer { UnsafeRawPointer(mapping.base) }

    /// The first `count` bytes.
    func copy(count: Int) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: mapping.base, count: min(count, Int(byteCount))))
    }
}
