import CImage
import Decoding
import Foundation
import ReaderProtocol
import Reading
import Settings
import Vocabulary

/// Who reads the corpus: we, and the two libraries with their defaults.
enum Contestant: String, CaseIterable {
    case ours
    case zxing
    case zbar

    /// Runs in a separate process (see `ContestantProcess`): reads one picture, and writes a line for each pass begun, `standing` and a line
    /// for each code that stands so far whenever these change, and the milliseconds it took. So a pass that aborts costs no code that was
    /// read before it.
    func readAndPrint(path: String, startingAtPass: Int) -> Int32 {
        var image = CImage_Luma()
        var message = [CChar](repeating: 0, count: 200)
        guard Int(CImage_load(path, 100_000_000, &image, &message, message.count)) == CIMAGE_OK,
            let pixels = image.pixels
        else {
            print("error \(String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))")
            return 1
        }
        defer { CImage_free(&image) }
        let view = LumaView(
            base: pixels, size: FrameSize(width: Int(image.width), height: Int(image.height)),
            rowStride: Int(image.width))
        let start = clock()
        let symbols = symbols(view, startingAtPass: startingAtPass)
        let milliseconds = Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
        Self.tell(symbols, in: view)
        print("took \(milliseconds)")
        return 0
    }

    private static func tell(_ symbols: [Symbol], in view: LumaView) {
        print("standing")
        for symbol in symbols {
            let centre = symbol.corners.centre
            let reading = PeerReading(
                symbology: symbol.symbology, bytes: symbol.bytes, text: symbol.text,
                centre: Point(x: centre.x * Double(view.size.width), y: centre.y * Double(view.size.height)))
            print(reading.line)
        }
    }

    private func symbols(_ view: LumaView, startingAtPass: Int) -> [Symbol] {
        switch self {
        case .ours:
            let engine = DecodeEngine(rules: Self.rules)
            var told: [Symbol] = []
            return engine.read(view, effort: .exhaustive, startingAtPass: startingAtPass) { pass in
                if engine.accepted != told {
                    told = engine.accepted
                    Self.tell(told, in: view)
                }
                print("pass \(pass)")
                // The lines must be written before a decoder aborts.
                fflush(nil)
            }
        case .zxing: return DecoderDefaults.zxing(view)
        case .zbar: return DecoderDefaults.zbar(view)
        }
    }

    /// Everything that can be read, as the libraries' defaults do; the lengths are our defaults.
    static let settings: ReadingSettings = {
        var settings = ReadingSettings()
        for symbology in Symbology.allCases where settings.symbologies[symbology] == nil && symbology != .code39Mod43 {
            settings.symbologies[symbology] = .standard(for: symbology)
        }
        // The corpus has such labels, and says what they mean.
        settings.symbologies[.code39]?.fullASCII = true
        settings.symbologies[.code39]?.code32 = true
        return settings
    }()

    static let rules = DecodeRules(settings)
}
