import CImage
import Glibc
import Testing

@Suite struct PNGPictures {
    @Test func greyIsTakenAsItIs() {
        #expect(Decoded(Pictures.grey8).pixels == [0, 50, 100, 150, 200, 250, 25, 75])
    }

    @Test func sixteenBitsBecomeEight() {
        #expect(Decoded(Pictures.grey16).pixels == [0, 50, 100, 150, 200, 250, 25, 75])
    }

    @Test func oneBitBecomesBlackAndWhite() {
        #expect(Decoded(Pictures.grey1).pixels == [0, 255, 0, 255, 255, 0, 255, 0])
    }

    @Test func transparencyIsLaidOnWhite() {
        #expect(Decoded(Pictures.greyAlpha).pixels == [255, 0, 127, 200])
        #expect(Decoded(Pictures.rgba).pixels == [76, 255, 204, 9])
        #expect(Decoded(Pictures.palette).pixels == [0, 255, 255, 100])
    }

    @Test func coloursGetTheLumaOfBT601() {
        #expect(Decoded(Pictures.rgb).pixels == [76, 150, 29, 255])
    }

    @Test func interlacedPicturesAreWhole() {
        let picture = Decoded(Pictures.interlaced)
        #expect(picture.status == ok)
        #expect(picture.pixels == (0..<64).map { UInt8($0 * 3) })
    }
}

@Suite struct JPEGPictures {
    static let upperLeftIsWhite = (0..<16).flatMap { y in (0..<32).map { x in x < 16 && y < 8 ? 255 : 0 } }

    @Test(arguments: [Pictures.jpegGrey, Pictures.jpegProgressive, Pictures.jpegCMYK])
    func allKindsAreRead(_ bytes: [UInt8]) {
        let picture = Decoded(bytes)
        #expect(picture.status == ok, "\(picture.message)")
        #expect(picture.width == 32 && picture.height == 16)
        #expect(picture.isClose(to: Self.upperLeftIsWhite, tolerance: 6))
    }

    @Test func colourIsReadAsItsLuma() {
        let picture = Decoded(Pictures.jpegColour)
        // 255, 127, 63 by BT.601; far from the chroma edge.
        #expect(abs(Int(picture.pixels[0]) - 158) <= 6)
        #expect(picture.pixels[31] <= 6)
    }

    /// An APP1 segment with only the orientation, spliced in after the start of image.
    static func withOrientation(_ value: UInt8, bigEndian: Bool) -> [UInt8] {
        let tiff: [UInt8] =
            bigEndian
            ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
            : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
        let body = Array("Exif\0\0".utf8) + tiff
        let bytes = Pictures.jpegGrey
        return bytes[..<2] + [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body + bytes[2...]
    }

    /// Where the white quarter ends up, for each orientation: (right, bottom).
    @Test(arguments: [
        (1, false, false), (2, true, false), (3, true, true), (4, false, true), (5, false, false), (6, true, false),
        (7, true, true), (8, false, true),
    ])
    func orientationIsApplied(_ orientation: UInt8, _ isRight: Bool, _ isBottom: Bool) throws {
        for bigEndian in [true, false] {
            let picture = Decoded(Self.withOrientation(orientation, bigEndian: bigEndian))
            try #require(picture.status == ok)
            #expect((picture.width, picture.height) == (orientation < 5 ? (32, 16) : (16, 32)))
            for (right, bottom) in [(false, false), (true, false), (false, true), (true, true)] {
                let x = right ? picture.width - 2 : 1
                let y = bottom ? picture.height - 2 : 1
                let isWhite = picture.pixels[y * picture.width + x] > 128
                #expect(isWhite == (right == isRight && bottom == isBottom))
            }
        }
    }

    @Test func aNonsensicalOrientationIsIgnored() {
        #expect(Decoded(Self.withOrientation(9, bigEndian: true)).isClose(to: Self.upperLeftIsWhite, tolerance: 6))
    }

    @Test func aPictureThatBreaksOffInTheMiddleIsKept() {
        // Without its end marker it is whole; cut further, at first the lower blocks are missing, then the upper ones too.
        #expect(Decoded(Array(Pictures.jpegGrey.dropLast(2))).isClose(to: Self.upperLeftIsWhite, tolerance: 6))
        let statuses = (0..<Pictures.jpegGrey.count).map { Decoded(Array(Pictures.jpegGrey[..<$0])).status }
        let firstGood = statuses.firstIndex(of: ok) ?? statuses.count
        #expect(firstGood < statuses.count - 2)
        #expect(statuses[firstGood...].allSatisfy { $0 == ok })
        #expect(statuses[3..<firstGood].allSatisfy { $0 == damaged })
    }

    @Test func aWholeBaselinePictureThatLacksItsEndMarkIsNotDamaged() {
        #expect(Decoded(Array(Pictures.jpegGrey.dropLast(2))).message.isEmpty)
    }
}

@Suite struct PlainPictures {
    @Test func binaryAndDecimalGreyAgree() {
        let binary = Decoded(Array("P5 # a comment\n 3 2\n255\n".utf8) + [0, 10, 32, 200, 255, 7])
        let decimal = Decoded(Array("P2\n3 2 255 0 10 32 # another\n200 255 7".utf8))
        #expect(binary.pixels == [0, 10, 32, 200, 255, 7])
        #expect(binary.pixels == decimal.pixels)
    }

    @Test func colourIsReadAsItsLuma() {
        #expect(Decoded(Array("P6 3 1 255 ".utf8) + [255, 0, 0, 0, 255, 0, 0, 0, 255]).pixels == [76, 150, 29])
        #expect(Decoded(Array("P3 1 1 255 255 255 255".utf8)).pixels == [255])
    }

    @Test func otherLargestValuesAreScaled() {
        #expect(Decoded(Array("P5 3 1 15 ".utf8) + [0, 15, 8]).pixels == [0, 255, 136])
        #expect(Decoded(Array("P5 2 1 65535 ".utf8) + [0xFF, 0xFF, 0x80, 0]).pixels == [255, 128])
    }

    @Test(arguments: [
        "P5 3 2 255", "P5 3 2 255 abc", "P5 3 2 0 abcdef", "P5 3 2 70000 abcdef", "P5 -3 2 255 abcdef",
        "P5 0 2 255 abcdef", "P2 2 1 255 1", "P2 2 1 255 1 256", "P2 2 1 255 1 x", "P5 9999999999 1 255 a", "P5 ",
    ])
    func wrongOnesAreDamaged(_ text: String) {
        let picture = Decoded(Array(text.utf8))
        #expect(picture.status == damaged)
        #expect(picture.pixels.isEmpty && !picture.message.isEmpty)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        var name = Array("/tmp/picture-XXXXXX\0".utf8).map(CChar.init(bitPattern:))
        let descriptor = mkstemp(&name)
        try #require(descriptor >= 0)
        unlink(name)
        defer { close(descriptor) }
        // A stride of 5 for rows of 3: the padding must not be written.
        let pixels: [UInt8] = [1, 2, 3, 99, 99, 4, 5, 6, 99, 99]
        #expect(CImage_write_pgm(descriptor, pixels, 3, 2, 5, nil, 0) == ok)
        let picture = Decoded(path: "/proc/self/fd/\(descriptor)")
        #expect(picture.status == ok, "\(picture.message)")
        #expect((picture.width, picture.height) == (3, 2))
        #expect(picture.pixels == [1, 2, 3, 4, 5, 6])
    }
}

@Suite struct HostilePictures {
    static let all = [
        Pictures.grey8, Pictures.rgba, Pictures.palette, Pictures.interlaced, Pictures.jpegGrey, Pictures.jpegColour,
        Pictures.jpegProgressive, Pictures.jpegCMYK, Array("P6 2 2 255 abcdefghijkl".utf8),
    ]

    @Test(arguments: all) func everyTruncationReturnsAStatus(_ bytes: [UInt8]) {
        for length in 0..<bytes.count {
            let picture = Decoded(Array(bytes[..<length]))
            #expect([ok, formatError, damaged].contains(picture.status))
            #expect(picture.pixels.isEmpty == (picture.status != ok))
        }
    }

    @Test(arguments: all) func everyFlippedBitReturnsAStatus(_ bytes: [UInt8]) {
        for bit in 0..<bytes.count * 8 {
            var copy = bytes
            copy[bit / 8] ^= 1 << (bit % 8)
            let picture = Decoded(copy)
            #expect([ok, formatError, damaged, tooLarge].contains(picture.status))
        }
    }

    @Test(arguments: [Pictures.huge, Array("P5 20000 20000 255 x".utf8), Pictures.jpegGrey, Pictures.grey8])
    func aPictureWithMorePixelsThanAllowedIsRefusedBeforeItTakesMemory(_ bytes: [UInt8]) {
        let picture = Decoded(bytes, maxPixels: 7)
        #expect(picture.status == tooLarge)
        #expect(picture.message.contains("more than 7"))
    }

    @Test func exactlyAsManyPixelsAsAllowedAreFine() {
        #expect(Decoded(Pictures.grey8, maxPixels: 8).status == ok)
    }

    @Test func otherBytesAreNoPicture() {
        #expect(Decoded([]).status == formatError)
        #expect(Decoded(Array("GIF89a".utf8)).status == damaged)
        #expect(Decoded([UInt8](repeating: 0, count: 4096)).status == formatError)
    }

    @Test func filesThatCannotBeReadSayWhy() {
        #expect(Decoded(path: "/nonexistent/picture.png").message.contains("No such file"))
        #expect(Decoded(path: "/proc/self").status == readError)
        #expect(Decoded(path: "/dev/zero").message.contains("not a regular file"))
    }
}
