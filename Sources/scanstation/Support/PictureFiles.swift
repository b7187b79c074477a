import Glibc

/// Files as given; a folder becomes the pictures in it, by name.
enum PictureFiles {
    static let endings = [".jpg", ".jpeg", ".png", ".pgm", ".ppm"]

    /// - Parameter noPictures: told of each folder without one.
    static func expand(_ paths: [String], noPictures: (String) -> Void = { _ in }) -> [String] {
        paths.flatMap { path -> [String] in
            guard let stream = opendir(path) else { return [path] }
            defer { closedir(stream) }
            var names: [String] = []
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
                if endings.contains(where: { name.lowercased().hasSuffix($0) }) { names.append(name) }
            }
            if names.isEmpty { noPictures(path) }
            let folder = path.hasSuffix("/") ? path : path + "/"
            return names.sorted().map { folder + $0 }
        }
    }
}
