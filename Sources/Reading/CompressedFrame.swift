import CLinux
import Glibc

/// One frame as a camera compressed it, copied out of the camera's memory; nobody has looked into it yet.
package final class CompressedFrame: Sendable {
    let file: PictureFile
    /// Begins as a JPEG file does. Nothing else is passed on: the process would take it for what it says it is.
    let isJPEG: Bool

    package init(copying bytes: UnsafeRawBufferPointer) throws(ReaderError) {
        isJPEG = bytes.count > 2 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF
        file = try PictureFile.copy(bytes, name: "a camera's frame")
    }
}
