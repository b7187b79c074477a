import CImage
import Foundation
import Testing

/// The small pictures that the fuzzers begin with. Most are 16×8, the upper left quarter white, the rest black; in the ones with
/// transparency the right half is red, transparent above and half so below.
enum Seeds {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzz/Targets")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static let plain = [
        "bmp/rgb.bmp", "bmp/bit.bmp", "gif/plain.gif", "gif/interlaced.gif", "gif/moving.gif", "heif/plain.heic",
        "heif/plain.avif", "heif/lossless.avif", "jpeg/colour.jpg", "jpeg/progressive.jpg", "jpeg/cmyk.jpg",
        "png/bit.png",
        "tiff/raw.tif", "tiff/lzw.tif", "tiff/deflate.tif", "tiff/packbits.tif", "tiff/jpeg.tif", "tiff/fax.tif",
        "webp/lossy.webp", "webp/lossless.webp", "webp/moving.webp", "pnm/rgb.ppm",
    ]
    static let transparent = [
        "gif/transparent.gif", "png/rgba.png", "tiff/rgba.tif", "webp/alpha.webp", "heif/alpha.heic", "heif/alpha.avif",
    ]
    static let turned = [
        "jpeg/turned.jpg", "png/turned.png", "tiff/turned.tif", "webp/turned.webp", "heif/turned.heic",
    ]

    static func path(_ name: String) -> String {
        let parts = name.split(separator: "/")
        return "picture-\(parts[0])/seeds/\(parts[1])"
    }
}

@Suite struct SeedPictures {
    private static func decoded(_ name: String) throws -> Decoded { Decoded(try Seeds.bytes(Seeds.path(name))) }

    @Test(arguments: Seeds.plain) func everyKindIsRead(_ name: String) throws {
        let picture = try Self.decoded(name)
        #expect(picture.status == ok && picture.message.isEmpty, "\(picture.message)")
        #expect((picture.width, picture.height) == (16, 8))
        let expected = (0..<8).flatMap { y in (0..<16).map { x in x < 8 && y < 4 ? 255 : 0 } }
        #expect(picture.isClose(to: expected, tolerance: 24))
    }

    @Test(arguments: Seeds.transparent) func transparencyIsLaidOnWhite(_ name: String) throws {
        let picture = try Self.decoded(name)
        try #require(picture.status == ok, "\(picture.message)")
        // White; transparent; black; red, half transparent where the kind has that.
        #expect(picture.pixels[0] > 230 && picture.pixels[12] > 230)
        #expect(picture.pixels[7 * 16 + 2] < 25)
        #expect((60...180).contains(picture.pixels[7 * 16 + 12]))
    }

    @Test(arguments: Seeds.turned) func orientationIsApplied(_ name: String) throws {
        let picture = try Self.decoded(name)
        try #require(picture.status == ok, "\(picture.message)")
        #expect((picture.width, picture.height) == (8, 16))
        // A quarter turn to the right: what was the upper left quarter is the upper right one.
        #expect(picture.pixels[1 * 8 + 6] > 200 && picture.pixels[1 * 8 + 1] < 50 && picture.pixels[14 * 8 + 6] < 50)
    }

    static let fragile = [
        "bmp/bit.bmp", "gif/moving.gif", "heif/plain.heic", "heif/plain.avif", "tiff/lzw.tif", "webp/alpha.webp",
    ]

    @Test(arguments: fragile) func everyTruncationReturnsAStatus(_ name: String) throws {
        let bytes = try Seeds.bytes(Seeds.path(name))
        for length in 0..<bytes.count {
            let picture = Decoded(Array(bytes[..<length]))
            #expect(picture.status != ok || !picture.pixels.isEmpty)
            #expect(picture.status == ok || (picture.pixels.isEmpty && !picture.message.isEmpty))
        }
    }

    @Test(arguments: fragile) func everyFlippedBitReturnsAStatus(_ name: String) throws {
        let bytes = try Seeds.bytes(Seeds.path(name))
        for bit in 0..<bytes.count * 8 {
            var copy = bytes
            copy[bit / 8] ^= 1 << (bit % 8)
            let picture = Decoded(copy)
            #expect(picture.status != ok || !picture.pixels.isEmpty)
        }
    }

    @Test(arguments: ["jpeg/large.jpg", "jpeg/large-progressive.jpg"])
    func aPictureThatBreaksOffSaysHowMuchOfItIsThere(_ name: String) throws {
        let bytes = try Seeds.bytes(Seeds.path(name))
        #expect(Decoded(bytes).message.isEmpty)
        let cut = Decoded(Array(bytes.prefix(bytes.count * 3 / 4)))
        #expect(cut.status == ok)
        #expect(cut.message.contains("breaks off after about"), "\(cut.message)")
    }

    @Test func aPictureThatIsMadeOfItselfIsRefused() throws {
        let picture = try Self.decoded("heif/made-of-itself.heic")
        #expect(picture.status == damaged && picture.message.contains("made of each other"))
    }

    @Test(arguments: Seeds.plain) func aPictureWithMorePixelsThanAllowedIsRefused(_ name: String) throws {
        #expect(Decoded(try Seeds.bytes(Seeds.path(name)), maxPixels: 127).status == tooLarge)
    }
}
