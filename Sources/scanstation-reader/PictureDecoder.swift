import CImage
import ScanCore

/// Decodes a picture file within the memory that its pixels need.
struct PictureDecoder {
    let memory: WorkerMemory

    struct Refusal: Error {
        var message: String
    }

    /// A decoded picture; its memory goes with it.
    final class Picture {
        let view: LumaView
        /// What is missing or wrong.
        let damage: String?
        private var luma: CImage_Luma

        fileprivate init?(_ luma: CImage_Luma, damage: String?) {
            guard let pixels = luma.pixels else { return nil }
            let size = FrameSize(width: Int(luma.width), height: Int(luma.height))
            view = LumaView(base: pixels, size: size, rowStride: size.width)
            self.damage = damage
            self.luma = luma
        }

        deinit { CImage_free(&luma) }
    }

    /// - Parameter beside: called while memory is bounded for what is decoded.
    func decode(_ file: SharedBytes, maxPixels: UInt64, beside: () -> Void = {}) throws(Refusal) -> Picture {
        memory.bound(CIMAGE_HEADER_BYTES)
        defer { memory.lift() }
        var luma = CImage_Luma()
        var message = [CChar](repeating: 0, count: 320)
        let limits = CImage_Limits(
            max_pixels: maxPixels, announce: bound(_:_:), user: Unmanaged.passUnretained(memory).toOpaque())
        let status = withUnsafePointer(to: limits) {
            CImage_decode_within(
                file.base.assumingMemoryBound(to: UInt8.self), Int(file.byteCount), $0, &luma, &message, message.count)
        }
        beside()
        let text = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard status == CIMAGE_OK, let picture = Picture(luma, damage: text.isEmpty ? nil : text) else {
            throw Refusal(message: text)
        }
        guard picture.view.size.isReadable else {
            throw Refusal(message: "\(picture.view.size) pixels are too many for one side")
        }
        return picture
    }
}

/// CImage has read the picture's size.
private func bound(_ memory: UnsafeMutableRawPointer?, _ bytes: UInt64) {
    guard let memory else { return }
    Unmanaged<WorkerMemory>.fromOpaque(memory).takeUnretainedValue().bound(bytes)
}
