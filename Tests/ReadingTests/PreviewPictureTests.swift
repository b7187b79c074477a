import Testing
import Vocabulary

@testable import Reading

@Suite("A preview's picture and figures")
struct PreviewPictureTests {
    private func shrunk(_ picture: TestPicture, _ orientation: Orientation = .upright, maxSide: Int) -> TestPicture {
        picture.pixels.withUnsafeBufferPointer { pixels in
            guard let plane = pixels.baseAddress else { return picture }
            let small = PictureShrinker.shrink(plane, picture.size, orientation, maxSide: maxSide)
            var result = TestPicture(width: small.size.width, height: small.size.height)
            result.pixels = small.pixels
            return result
        }
    }

    private func sharpness(_ picture: TestPicture, _ region: PixelRect? = nil) -> Double? {
        picture.pixels.withUnsafeBufferPointer { pixels in
            pixels.baseAddress.flatMap {
                EdgeSharpness.of(
                    $0, width: picture.size.width,
                    region: region
                        ?? PixelRect(x: 0, y: 0, width: picture.size.width, height: picture.size.height))
            }
        }
    }

    @Test(
        "A pixel is the mean of the area that it stands for",
        arguments: [(1280, 720), (1279, 717), (640, 480), (1000, 300)])
    func mean(width: Int, height: Int) {
        // Lines of one pixel: every skipped row or column would show.
        var picture = TestPicture(width: width, height: height)
        for y in 0..<height { for x in 0..<width { picture[x, y] = (x + y) % 2 == 0 ? 0 : 200 } }
        let small = shrunk(picture, maxSide: 320)
        #expect(small.size.width == 320)
        #expect(small.size.height == (height * 320 + width / 2) / width)
        let mean = Double(small.pixels.reduce(0) { $0 + Int($1) }) / Double(small.pixels.count)
        #expect(abs(mean - 100) < 1.5, "\(mean)")
        #expect(small.pixels.allSatisfy { (70...130).contains($0) })
    }

    @Test("The mean of a picture stays what it was, and its corners stay in their places")
    func corners() {
        var picture = TestPicture(width: 1280, height: 720, fill: 100)
        picture.fill(x: 0, y: 0, width: 128, height: 72, 0)
        picture.fill(x: 1152, y: 648, width: 128, height: 72, 255)
        let small = shrunk(picture, maxSide: 640)
        #expect(small.size == FrameSize(width: 640, height: 360))
        #expect(
            [small[0, 0], small[63, 35], small[64, 36], small[639, 359], small[576, 324], small[575, 323]] == [
                0, 0, 100, 255, 255, 100,
            ])
    }

    @Test("A frame that is small enough stays as it is")
    func small() {
        let picture = TestPicture.gradient(width: 320, height: 240)
        #expect(shrunk(picture, maxSide: 640).pixels == picture.pixels)
    }

    @Test(
        "The picture is upright, however the camera is mounted",
        arguments: Orientation.Rotation.allCases.flatMap { rotation in
            [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
        })
    func upright(orientation: Orientation) {
        // A bright spot at a place of the delivered frame has to be where the coordinates say.
        var picture = TestPicture(width: 400, height: 200, fill: 20)
        picture.fill(x: 300, y: 20, width: 20, height: 20, 240)
        let small = shrunk(picture, orientation, maxSide: 100)
        let place = orientation.upright(fromDelivered: Point(x: 310.0 / 400, y: 30.0 / 200))
        let x = Int(place.x * Double(small.size.width))
        let y = Int(place.y * Double(small.size.height))
        #expect(small[x, y] > 200)
        #expect(small.pixels.count { $0 > 128 } < small.pixels.count / 50)
        #expect(small.size == PictureShrinker.size(of: picture.size, orientation, maxSide: 100))
    }

    @Test("Sharpness falls with blur, not with contrast, and noise isn't taken for edges")
    func sharpness() throws {
        var picture = TestPicture(width: 640, height: 480)
        picture.addModules(x: 100, y: 100, side: 256, module: 16)
        let sharp = try #require(sharpness(picture))
        #expect(sharp > 0.95)
        var faint = picture
        for index in faint.pixels.indices { faint.pixels[index] = 100 + (faint.pixels[index] - 30) / 3 }
        #expect(abs(try #require(sharpness(faint)) - sharp) < 0.05)
        var last = sharp
        for radius in [1, 2, 3, 4] {
            let blurred = try #require(sharpness(picture.blurred(radius: radius)))
            #expect(blurred < last - 0.02, "\(radius): \(blurred) after \(last)")
            last = blurred
        }
        #expect(last < 0.3)
        #expect(sharpness(TestPicture().withNoise(sigma: 3, seed: 1)) == nil)
        #expect(sharpness(picture, PixelRect(x: 400, y: 300, width: 200, height: 100)) == nil)
    }

    @Test("Light: the mean, what is too dark and burnt out, and every pixel in the histogram")
    func light() {
        let light = PictureLight([0, 10, 100, 100, 200, 200, 200, 255])
        #expect(light.mean == 133.125)
        #expect(light.dark == 0.25)
        #expect(light.bright == 0.125)
        #expect(light.histogram.count == 32)
        #expect(light.histogram.reduce(0, +) == 8)
        #expect([light.histogram[0], light.histogram[1], light.histogram[12], light.histogram[31]] == [1, 1, 2, 1])
        #expect(PictureLight([]).mean == 0)
    }
}

extension TestPicture {
    /// Each pixel is the mean of the ones around it.
    fileprivate func blurred(radius: Int) -> TestPicture {
        var picture = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                var (sum, count) = (0, 0)
                for row in max(0, y - radius)...min(size.height - 1, y + radius) {
                    for column in max(0, x - radius)...min(size.width - 1, x + radius) {
                        sum += Int(self[column, row])
                        count += 1
                    }
                }
                picture[x, y] = UInt8(sum / count)
            }
        }
        return picture
    }
}
