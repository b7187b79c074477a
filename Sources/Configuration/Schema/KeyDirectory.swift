import Settings
import Vocabulary

/// Where a key belongs, for people who wrote it in another place.
enum KeyDirectory {
    /// Naming more places than these helps nobody.
    private static let maxPlaces = 3

    private static let all: [[String]] =
        flattened(StationSchema.station.outline(StationSettings()), below: [])
        + flattened(StationSchema.output.outline(OutputDraft()), below: ["outputs"])

    /// Key paths that end in `name`: those that share most with `path`, where it was found; none if there are too many.
    static func paths(of name: String, nearest path: String) -> [String] {
        let words = path.split(separator: ".").map(String.init)
        let places = all.filter { $0.last == name }.map { (path: $0, shared: shared($0, words)) }
        let most = places.map(\.shared).max() ?? 0
        let nearest = places.filter { $0.shared == most }.map { place in
            // The list item that it is in.
            (words.prefix(most) + place.path.dropFirst(most)).joined(separator: ".")
        }
        return nearest.count > maxPlaces ? [] : nearest
    }

    private static func shared(_ place: [String], _ words: [String]) -> Int {
        zip(place, words).prefix { key, word in key == word.prefix { $0 != "[" } }.count
    }

    private static func flattened(_ keys: [KeyOutline], below path: [String]) -> [[String]] {
        keys.flatMap { key in
            let full = path + [key.name]
            if case .section(let inner) = key.content { return [full] + flattened(inner, below: full) }
            return [full]
        }
    }
}
