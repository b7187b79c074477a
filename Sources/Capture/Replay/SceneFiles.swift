import Glibc
import Linux
import Reading
import Vocabulary

/// Finds the pictures of a replayed scene.
enum SceneFiles {
    /// More pictures than this are left out.
    static let maxFiles = 10_000

    /// The files that `paths` (folders, files, globs) name, sorted within each; the built-in scene when `paths` is empty.
    static func resolve(_ paths: [String], builtIn: [String] = builtInFolders()) throws(CameraFailure) -> [FileName] {
        if paths.isEmpty {
            for folder in builtIn {
                let found = pictures(in: folder)
                if !found.isEmpty { return found }
            }
            throw .unavailable(
                .scene(
                    detail: "there is no built-in scene (looked in \(builtIn.joined(separator: ", "))): "
                        + "name pictures or a folder"))
        }
        var files: [FileName] = []
        for path in paths {
            let found = isFolder(path) ? pictures(in: path) : expand(path)
            if found.isEmpty {
                throw .unavailable(.scene(detail: "\(path): \(complaint(about: path)): name a picture, folder or glob"))
            }
            files += found
        }
        return Array(files.prefix(maxFiles))
    }

    /// Beside the executable (in a build, in a package's libexec), then where the package installs it.
    static func builtInFolders(executable: String = ExecutablePath.folder) -> [String] {
        ["resources", "bundle"].map { "\(executable)/ScanStation_Capture.\($0)/Scene" }
            + ExecutablePath.installed("share/scanstation/scene", executable: executable)
    }

    private static func pictures(in folder: String) -> [FileName] {
        let names = (try? Files.entries(of: FileName(folder))) ?? []
        return names.filter { !$0.isHidden && PictureKinds.isPicture($0) }.map(FileName(folder).appending)
    }

    /// A file, or what a glob matches. A plain name is tried whatever its ending; a glob takes only pictures.
    private static func expand(_ pattern: String) -> [FileName] {
        if access(pattern, F_OK) == 0 { return [FileName(pattern)] }
        var matches = glob_t()
        defer { globfree(&matches) }
        guard glob(pattern, 0, nil, &matches) == 0, let paths = matches.gl_pathv else { return [] }
        return (0..<Int(matches.gl_pathc)).compactMap { paths[$0].map { FileName(cString: $0) } }
            .filter(PictureKinds.isPicture).sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private static func complaint(about path: String) -> String {
        if isFolder(path) {
            return access(path, R_OK) == 0 ? "the folder has no pictures" : SystemError().text
        }
        return "no such picture"
    }
}
