import Foundation

/// A scene of many pictures with a good one after each hundred, which must be read whatever the others do.
struct RobustnessScene {
    /// Pictures between two good ones.
    static let stretch = 100
    /// How many times in a row a good picture is shown: long enough for a turn that reads it, even when frames are dropped.
    static let goodCopies = 6
    /// How many times an empty picture is shown before it: the previous good picture's code must have left the view (that takes a round of
    /// turns without it), even if all pictures in between can't be decoded and are never shown.
    static let emptyCopies = 10

    let name: String
    let folder: String
    /// Pictures besides the good and the empty ones.
    let count: Int
    /// The beginnings of the good ones' names, in the order in which they are shown.
    let goodNames: [String]

    /// - Parameters:
    ///   - folder: holds `count` pictures named by their five-digit numbers from 0.
    ///   - good: a picture with one code that a station reads at once.
    ///   - empty: one without.
    init(name: String, folder: String, count: Int, good: String, empty: String) throws {
        var goodNames: [String] = []
        for number in stride(from: Self.stretch - 1, to: count + Self.stretch - 1, by: Self.stretch) {
            // These sort after the stretch's last picture.
            let last = String(format: "%05d", min(number, count - 1))
            for copy in 0..<Self.emptyCopies {
                try FileManager.default.copyItem(atPath: empty, toPath: "\(folder)/\(last)-empty-\(copy).png")
            }
            for copy in 0..<Self.goodCopies {
                try FileManager.default.copyItem(atPath: good, toPath: "\(folder)/\(last)-good-\(copy).png")
            }
            goodNames.append(last + "-good")
        }
        self.name = name
        self.folder = folder
        self.count = count
        self.goodNames = goodNames
    }
}

/// The corpus' pictures as they are.
struct WholePictures {
    let count: Int

    init(corpus: String, in folder: String) throws {
        let pictures = try CorpusPicture.load(from: corpus).map(\.path)
        guard !pictures.isEmpty else {
            throw BenchmarkFailure("no pictures in \(corpus): name the corpus with --corpus")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, path) in pictures.enumerated() {
            let name = String(format: "%05d", number) + path.suffix(4)
            try FileManager.default.copyItem(atPath: corpus + "/" + path, toPath: folder + "/" + name)
        }
        count = pictures.count
    }
}
