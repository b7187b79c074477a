import CLibcamera
import Glibc
import Linux
import Synchronization
import Vocabulary

/// The plugin's function table. It is static, never changes, and is never unloaded, so any thread may read it.
struct LibcameraPlugin: @unchecked Sendable {
    let table: UnsafePointer<CLibcamera_Table>
    let path: String

    /// libcamera's own: "v0.4.0+dfsg".
    var runningVersion: String { String(cString: table.pointee.running_version()) }
}

extension LibcameraPlugin {
    /// Why a file isn't the plugin for the installed libcamera.
    struct Refusal: Error {
        var message: String
    }

    init(path: String, trust: PluginTrust = PluginTrust()) throws(Refusal) {
        if let problem = trust.problem(with: path) { throw Refusal(message: "not loaded: \(problem)") }
        var table: UnsafePointer<CLibcamera_Table>?
        var error = CLibcamera_Error()
        guard CLibcamera_load(path, &table, &error) == CLIBCAMERA_OK, let table else {
            throw Refusal(message: error.message)
        }
        self.table = table
        self.path = path
    }
}

/// Finds the plugin that fits the installed libcamera. A plugin names the soname it needs, so the dynamic loader itself refuses
/// the others; `CLibcamera_load` checks the rest against the version that runs.
package struct PluginLocator: Sendable {
    static let buildName = "libscanstation-libcamera.so"
    /// A package ships one per version: libcamera-0.4.so, libcamera-0.7.so.
    static let packagePrefix = "libcamera-"

    private static let remedy =
        "install libcamera if there is none; `sudo scanstation camera build` makes a plugin for the one that is installed"

    private static let accepted = Mutex<LibcameraPlugin?>(nil)

    let folders: [String]
    let libraryFolders: [String]
    /// A build's plugins have this name, a package's have the prefix; only the folder beside the executable is searched for both.
    private let isIsolated: Bool

    /// Beside the executable, then in the package's library folders.
    package init() {
        folders = [ExecutablePath.folder] + ExecutablePath.installed("lib/scanstation")
        libraryFolders = Self.systemLibraryFolders
        isIsolated = false
    }

    /// Looks in this folder only.
    package init(folder: String) { self.init(folders: [folder], libraryFolders: Self.systemLibraryFolders) }

    /// For tests: looks nowhere else and shares nothing.
    init(folders: [String], libraryFolders: [String] = []) {
        self.folders = folders
        self.libraryFolders = libraryFolders
        isIsolated = true
    }

    /// The plugin that this process accepted earlier.
    var loaded: LibcameraPlugin? { isIsolated ? nil : Self.accepted.withLock { $0 } }

    /// The first plugin that fits, newest version first.
    func load() throws(CameraFailure) -> LibcameraPlugin {
        if let loaded { return loaded }
        // libcamera reads these when it is loaded; its chatter on standard error would mix with the station's output.
        setenv("LIBCAMERA_LOG_LEVELS", "*:WARN", 0)
        let found = candidates()
        var reasons: [String] = []
        for path in found {
            do throws(LibcameraPlugin.Refusal) {
                let plugin = try LibcameraPlugin(path: path)
                if !isIsolated { Self.accepted.withLock { $0 = plugin } }
                return plugin
            } catch {
                reasons.append(error.message)
            }
        }
        throw .unavailable(
            .noPlugin(
                libcameraVersion: installedLibcamera(),
                detail: found.isEmpty
                    ? "no plugin was found in \(folders.joined(separator: ", ")): \(Self.remedy)"
                    : "\(reasons.joined(separator: "; ")): \(Self.remedy)"))
    }

    /// Every plugin file and whether it fits, for people: loads each of them.
    package func survey() -> [PluginFinding] {
        candidates().map { path in
            do throws(LibcameraPlugin.Refusal) {
                return PluginFinding(path: path, libcamera: try LibcameraPlugin(path: path).runningVersion)
            } catch {
                return PluginFinding(path: path, problem: error.message)
            }
        }
    }

    /// Plugin files, in the order in which they are tried.
    func candidates() -> [String] {
        folders.flatMap { folder -> [String] in
            let names = Files.names(in: folder)
            let versioned = names.filter { $0.hasPrefix(Self.packagePrefix) && $0.hasSuffix(".so") }
            return (names.filter { $0 == Self.buildName } + versioned.sorted(by: Self.isNewer)).map {
                "\(folder)/\($0)"
            }
        }
    }

    /// The version of libcamera.so in the system's library folders, whether or not a plugin fits it.
    package func installedLibcamera() -> String? {
        let prefix = "libcamera.so."
        let versions = libraryFolders.flatMap(Files.names(in:)).filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
        // libcamera.so.0.4 and libcamera.so.0.4.0 are side by side: the longer name says more.
        return versions.max { Self.numbers($0).lexicographicallyPrecedes(Self.numbers($1)) }
    }

    private static var systemLibraryFolders: [String] {
        #if arch(arm64)
            let triplet = "aarch64-linux-gnu"
        #elseif arch(x86_64)
            let triplet = "x86_64-linux-gnu"
        #else
            let triplet = "arm-linux-gnueabihf"
        #endif
        return ["/usr/local/lib/\(triplet)", "/usr/local/lib", "/usr/lib/\(triplet)", "/usr/lib64", "/usr/lib"]
    }

    static func isNewer(_ a: String, _ b: String) -> Bool { numbers(b).lexicographicallyPrecedes(numbers(a)) }

    /// The numbers in a name: 0.10 is newer than 0.9.
    private static func numbers(_ name: String) -> [Int] {
        name.split { !$0.isNumber }.compactMap { Int($0) }
    }
}

extension CLibcamera_Error {
    /// The text up to its NUL.
    var message: String { String(untilNUL: text) }
}
