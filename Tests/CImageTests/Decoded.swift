import CImage

/// What CImage made of some bytes, with its memory already given back.
struct Decoded {
    var status: Int32
    var width = 0
    var height = 0
    var pixels: [UInt8] = []
    var message = ""

    init(_ bytes: [UInt8], maxPixels: UInt64 = 1_000_000) {
        var luma = CImage_Luma()
        var text = [CChar](repeating: 0, count: 200)
        status = CImage_decode(bytes, bytes.count, maxPixels, &luma, &text, text.count)
        take(&luma, text)
    }

    init(path: String, maxPixels: UInt64 = 1_000_000) {
        var luma = CImage_Luma()
        var text = [CChar](repeating: 0, count: 200)
        status = CImage_load(path, maxPixels, &luma, &text, text.count)
        take(&luma, text)
    }

    private mutating func take(_ luma: inout CImage_Luma, _ text: [CChar]) {
        width = Int(luma.width)
        height = Int(luma.height)
        if let base = luma.pixels { pixels = Array(UnsafeBufferPointer(start: base, count: width * height)) }
        CImage_free(&luma)
        message = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Fails the caller's expectation with a readable value when pixels are off by more than `tolerance`.
    func isClose(to expected: [Int], tolerance: Int = 0) -> Bool {
        pixels.count == expected.count && zip(pixels, expected).allSatisfy { abs(Int($0) - $1) <= tolerance }
    }
}

let ok = Int32(CIMAGE_OK)
let readError = Int32(CIMAGE_ERROR_READ)
let formatError = Int32(CIMAGE_ERROR_FORMAT)
let damaged = Int32(CIMAGE_ERROR_DAMAGED)
let tooLarge = Int32(CIMAGE_ERROR_TOO_LARGE)
