import CImage
import ReaderProcess
import ReaderProtocol
import Vocabulary

/// Decodes a picture file with the formats' own libraries, within the memory that its pixels need.
struct LibraryPictures: PictureDecoder {
    /// The pixels that CImage has allocated.
    private final class Pixels {
        var luma: CImage_Luma

        init(_ luma: CImage_Luma) { self.luma = luma }

        deinit { CImage_free(&luma) }
    }

    func decode(
        _ file: SharedBytes, maxPixels: UInt64, memory: WorkerMemory, beside: () -> Void
    ) throws(PictureRefusal) -> DecodedPicture {
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
        guard status == CIMAGE_OK, let base = luma.pixels else { throw PictureRefusal(message: text) }
        let owner = Pixels(luma)
        let size = FrameSize(width: Int(luma.width), height: Int(luma.height))
        guard size.isReadable else {
            throw PictureRefusal(message: "\(size) pixels are too many for one side")
        }
        return DecodedPicture(
            view: LumaView(base: base, size: size, rowStride: size.width), damage: text.isEmpty ? nil : text,
            owner: owner)
    }
}

/// CImage has read the picture's size.
private func bound(_ memory: UnsafeMutableRawPointer?, _ bytes: UInt64) {
    guard let memory else { return }
    Unmanaged<WorkerMemory>.fromOpaque(memory).takeUnretainedValue().bound(bytes)
}
