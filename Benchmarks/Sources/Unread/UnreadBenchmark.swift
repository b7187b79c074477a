import Decoding
import Foundation
import ReaderProtocol
import Vocabulary

/// Prints a line for each picture: how many codes live reading reads of it, milliseconds for the diagnosis, and what that reports.
struct UnreadBenchmark {
    /// A code that was read, as much of it as the diagnosis looks at. Corners 0…1: x, y, x, y…
    struct Known: Codable {
        var symbology: UInt8
        var bytes: [UInt8]
        var corners: [Double]

        var isWhole: Bool { Symbology(code: symbology) != nil && corners.count == 8 }
    }

    private var known: KnownReadings<[Known]>
    private var times: [Double] = []
    private var reported = 0

    /// - Parameter path: where what live reading gives is kept between runs; `nil`: nowhere.
    init(known path: String?) throws {
        known = try KnownReadings(path: path) { $0.allSatisfy(\.isWhole) }
    }

    /// A picture, or those of a folder or of a `truth.jsonl`, in the order of their names.
    static func pictures(of path: String) throws -> [String] {
        if path.hasSuffix(".jsonl") {
            let folder = (path as NSString).deletingLastPathComponent
            return try CorpusPicture.load(from: folder).map { folder + "/" + $0.path }
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CocoaError(.fileNoSuchFile)
        }
        guard isFolder.boolValue else { return [path] }
        return try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter {
            ["jpg", "jpeg", "png", "gif"].contains(($0 as NSString).pathExtension.lowercased())
        }.map { path + "/" + $0 }
    }

    mutating func look(at path: String) {
        guard let shown = ShownPicture(path: path) else { return }
        ShownPicture.withLuma(of: shown.pixels) { look(at: $0, path) }
    }

    private mutating func look(at luma: LumaView, _ path: String) {
        let engine = DecodeEngine(rules: Contestant.rules)
        let symbols = known.reading(of: path) { Self.read(luma, by: engine) }.compactMap(Symbol.init)
        var unread: [UnreadCode] = []
        let time = VirtualCore().run { unread = engine.unreadCodes(of: luma, besides: symbols) }.cost.milliseconds
        times.append(time)
        reported += unread.count
        let reports = unread.map { code in
            let corners = code.corners.points.map {
                "\(Int($0.x * Double(luma.size.width))),\(Int($0.y * Double(luma.size.height)))"
            }.joined(separator: " ")
            let figure = code.figure.map { String(format: "%.2f", $0) } ?? "-"
            let module = code.moduleWidth.map { String(format: "%.2f", $0) } ?? "-"
            return "\(code.kind.rawValue) \(code.cause.rawValue) \(figure) module \(module)"
                + " \(code.symbology?.rawValue ?? "-") [\(corners)]"
        }
        print(([path, "\(symbols.count)", String(format: "%.1f", time)] + reports).joined(separator: "\t"))
    }

    /// What all live turns together read, each code once.
    private static func read(_ luma: LumaView, by engine: DecodeEngine) -> [Known] {
        var read: [Known] = []
        var seen: Set<[UInt8]> = []
        func take(_ symbols: [Symbol]) {
            for symbol in symbols where seen.insert([symbol.symbology.code] + symbol.bytes).inserted {
                read.append(Known(symbol))
            }
        }
        for turn in 0..<UInt32(2 * engine.quickTurnCount) { take(engine.read(luma, effort: .quick(turn: turn))) }
        for turn in 0..<UInt32(engine.thoroughTurnCount) { take(engine.read(luma, effort: .thorough(turn: turn))) }
        return read
    }

    func finish() throws {
        let sorted = times.sorted()
        if let most = sorted.last {
            print(
                String(
                    format: "%d pictures, %d reports, median %.1f ms, p95 %.1f ms, most %.1f ms", sorted.count,
                    reported, sorted[sorted.count / 2], sorted[sorted.count * 19 / 20], most))
        }
        try known.store()
    }
}

extension UnreadBenchmark.Known {
    init(_ symbol: Symbol) {
        self.init(
            symbology: symbol.symbology.code, bytes: symbol.bytes,
            corners: symbol.corners.points.flatMap { [$0.x, $0.y] })
    }
}

extension Symbol {
    fileprivate init?(_ known: UnreadBenchmark.Known) {
        guard let symbology = Symbology(code: known.symbology), known.corners.count == 8 else { return nil }
        let c = known.corners
        self.init(
            symbology: symbology, aim: "", bytes: known.bytes, text: nil,
            corners: Quad(
                Point(x: c[0], y: c[1]), Point(x: c[2], y: c[3]), Point(x: c[4], y: c[5]), Point(x: c[6], y: c[7])))
    }
}
