import CImage
import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// What `scanstation scan` reads in the demo scene by default: each picture exhaustively, at its own size.
@Suite struct StillSceneTests {
    @Test(arguments: LiveScene.pictures) func everyCodeOfAPictureIsReadAndNothingElse(name: String) throws {
        var image = CImage_Luma()
        defer { CImage_free(&image) }
        let status = CImage_load("\(LiveScene.folder)/\(name)", 100_000_000, &image, nil, 0)
        #expect(Int(status) == CIMAGE_OK)
        let pixels = try #require(image.pixels)
        let size = FrameSize(width: Int(image.width), height: Int(image.height))
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        let symbols = engine.read(LumaView(base: pixels, size: size, rowStride: size.width), effort: .exhaustive)
        let read = symbols.map { "\($0.symbology.rawValue) \($0.text ?? "-")" }.sorted()
        #expect(try read == LiveScene.truth()[name])
    }
}
