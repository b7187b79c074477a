import Glibc

/// One frame as a camera compressed it, copied out of the camera's memory and not examined yet.
package final class CompressedFrame: Sendable {
    let file: PictureFile
    /// Whether it begins like a JPEG file. Nothing else is passed on, because the process would decode it as whatever it claims to be.
    let isJPEG: Bool

    package init(copying bytes: UnsafeRawBufferPointer) throws(ReaderError) {
        isJPEG = bytes.count > 2 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF
        file = try PictureFile.copy(bytes, name: "a camera's frame")
    }
}
