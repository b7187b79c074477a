/// What a virtual camera looks at. Its text carries it to the process that shows it.
enum ShownSubject: Hashable {
    case picture(path: String)
    /// The picture, smaller, with `ShownPicture.neighbour` beside it.
    case pictureWithNeighbour(path: String)
    /// No code at all.
    case clutter(Clutter)

    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "picture": self = .picture(path: parts[1])
        case "neighbour": self = .pictureWithNeighbour(path: parts[1])
        case "clutter":
            guard let clutter = Clutter(rawValue: parts[1]) else { return nil }
            self = .clutter(clutter)
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .picture(let path): "picture:" + path
        case .pictureWithNeighbour(let path): "neighbour:" + path
        case .clutter(let clutter): "clutter:" + clutter.rawValue
        }
    }

    /// For messages.
    var name: String {
        switch self {
        case .picture(let path): path
        case .pictureWithNeighbour(let path): path + " beside an easy code"
        case .clutter(let clutter): clutter.rawValue
        }
    }
}
