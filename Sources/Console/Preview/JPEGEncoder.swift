import CJPEG

/// Grey pixels as a JPEG.
enum JPEGEncoder {
    /// At 60 bars stay bars, and a picture 640 pixels wide has about 30 kB.
    static let quality: Int32 = 60

    /// `nil` when the sizes don't fit, or the library refuses.
    static func encode(_ pixels: [UInt8], width: Int64, height: Int64) -> [UInt8]? {
        guard (1...4096).contains(width), (1...4096).contains(height), Int64(pixels.count) == width * height else {
            return nil
        }
        var jpeg: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard CJPEG_encode_grey(pixels, Int32(width), Int32(height), quality, &jpeg, &length) == 0, let jpeg else {
            return nil
        }
        defer { CJPEG_free(jpeg) }
        return Array(UnsafeBufferPointer(start: jpeg, count: length))
    }
}
