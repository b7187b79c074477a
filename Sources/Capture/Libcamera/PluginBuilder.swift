import Glibc
import Linux

/// Builds the libcamera plugin from its source for this machine's libcamera, because libcamera's interface changes with every version and a
/// package can only bring plugins for those it knows.
package struct PluginBuilder: Sendable {
    package struct Outcome: Hashable, Sendable {
        package var path: String
        /// The version of the headers it was compiled against: "0.4.0".
        package var version: String
        /// As libcamera says of itself: "v0.4.0+dfsg".
        package var runningVersion: String
        package var sources: String
    }

    /// Where plugins go that aren't from a package; `PluginLocator` looks there.
    package static let defaultOutput = "/usr/local/lib/scanstation"
    /// How many of a failed compiler's lines are shown.
    static let shownLines = 20
    /// A Zero 2 W with little memory takes minutes.
    static let patience: Duration = .seconds(1800)
    /// libcamera's headers want C++17; one day they will want more.
    private static let standards = ["c++17", "c++20"]

    /// The folder with the plugin's source files; `nil`: the installed ones, or those of the tree this program was built in.
    package var sources: String?
    package var output = PluginBuilder.defaultOutput
    package var compiler = "g++"
    var headerFolders = LibcameraHeaders.systemFolders
    var programFolders: String?

    package init() {}

    /// Blocks for as long as the compiler takes. `progress` gets a line for each step.
    package func build(progress: (String) -> Void = { _ in }) throws(PluginBuildError) -> Outcome {
        let compiler = findCompiler()
        let headers = LibcameraHeaders.find(in: headerFolders)
        guard let compiler, let headers else {
            let packages = (compiler == nil ? ["g++"] : []) + (headers == nil ? ["libcamera-dev"] : [])
            throw PluginBuildError(
                .missing(packages: packages),
                "the plugin can't be built: \(packages.joined(separator: " and ")) \(packages.count == 1 ? "is" : "are") not "
                    + "installed: sudo apt install \(packages.joined(separator: " "))")
        }
        let folder = try findSources()
        try prepareOutput()
        let path = "\(output)/\(PluginLocator.packagePrefix)\(headers.pluginVersion).so"
        // A separate folder, so that no station tries a half-written plugin, and nobody else knows or changes it.
        let workshop = try makeWorkshop()
        let temporary = "\(workshop)/plugin.so"
        defer {
            unlink(temporary)
            rmdir(workshop)
        }
        progress("libcamera \(headers.versionText) in \(headers.folder); compiling \(folder) with \(compiler)")
        try compile(folder, with: compiler, headers, to: temporary)
        let running = try load(temporary)
        guard chmod(temporary, 0o644) == 0, rename(temporary, path) == 0 else {
            throw cannotWrite(path, errno)
        }
        return Outcome(path: path, version: headers.versionText, runningVersion: running, sources: folder)
    }

    private func findCompiler() -> String? {
        guard let programFolders else { return ProgramPath.find([compiler]) }
        return ProgramPath.find([compiler], folders: programFolders)
    }

    private func findSources() throws(PluginBuildError) -> String {
        let folders = sources.map { [$0] } ?? Self.sourceFolders(of: ExecutablePath.folder)
        if let folder = folders.first(where: { !Self.files(in: $0).isEmpty }) { return folder }
        throw PluginBuildError(
            .noSources,
            "the plugin's source isn't in \(folders.joined(separator: ", ")): install the package scanstation, or name its "
                + "folder with --sources")
    }

    /// In the program's own prefix, where the package puts it, and in the source tree above a build folder.
    static func sourceFolders(of executableFolder: String) -> [String] {
        var folders = ExecutablePath.installed("share/scanstation/camera-plugin", executable: executableFolder)
        var above = executableFolder
        while let slash = above.lastIndex(of: "/"), slash != above.startIndex {
            above = String(above[..<slash])
            folders.append("\(above)/Sources/CLibcameraPlugin")
        }
        return folders
    }

    private static func files(in folder: String) -> [String] {
        Files.names(in: folder).filter { $0.hasSuffix(".cpp") }.map { "\(folder)/\($0)" }
    }

    private func prepareOutput() throws(PluginBuildError) {
        do throws(Files.NoFolder) { try Files.makeFolder(output, mode: 0o755) } catch {
            throw cannotWrite(error.path, error.error.code)
        }
        guard access(output, W_OK | X_OK) == 0 else { throw cannotWrite(output, errno) }
        if let problem = PluginTrust().problem(with: output) {
            throw PluginBuildError(.cannotWrite, "no station would load a plugin from there: \(problem)")
        }
    }

    /// A new folder for this user alone, with a name that nobody can guess in advance.
    func makeWorkshop() throws(PluginBuildError) -> String {
        var template = Array("\(output)/.build-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw cannotWrite(output, errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func cannotWrite(_ path: String, _ code: Int32) -> PluginBuildError {
        let isForbidden = code == EACCES || code == EPERM
        return PluginBuildError(
            isForbidden ? .noPermission : .cannotWrite,
            "\(path) can't be written: \(SystemError(code).text): "
                + (isForbidden ? "sudo scanstation camera build" : "choose another folder with --output"))
    }

    private func compile(
        _ folder: String, with compiler: String, _ headers: LibcameraHeaders, to path: String
    ) throws(PluginBuildError) {
        let includes = [folder, "\(folder)/include", "\(folder)/../CLibcamera/include", headers.folder]
        var failure: String?
        for standard in Self.standards {
            let arguments =
                ["-std=\(standard)", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fdiagnostics-color=never"]
                + includes.map { "-I\($0)" } + Self.files(in: folder)
                + ["-Wl,-z,defs", "-o", path, "-lcamera", "-lcamera-base", "-ldl", "-pthread"]
            let result: ProgramRun.Result
            do throws(Program.NotStarted) {
                result = try ProgramRun.run(compiler, arguments, limit: Self.patience)
            } catch {
                throw PluginBuildError(.compilerFailed, "the compiler \(error)")
            }
            if result.end == .exited(0) { return }
            // The first attempt's complaints: those of the next may be only about the language standard.
            failure = failure ?? Self.complaint(compiler, result)
        }
        throw PluginBuildError(.compilerFailed, failure ?? "")
    }

    private static func complaint(_ compiler: String, _ result: ProgramRun.Result) -> String {
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: true).suffix(shownLines)
        return "\(compiler) couldn't compile the plugin (\(result.end)); its last lines:\n"
            + lines.map { "  \($0)" }.joined(separator: "\n")
            + "\nIf libcamera has changed its interface, a newer scanstation is needed; until then capture.source: rpicam works."
    }

    /// Loads it in this process, as a station does. Returns libcamera's own version.
    private func load(_ path: String) throws(PluginBuildError) -> String {
        do throws(LibcameraPlugin.Refusal) {
            return try LibcameraPlugin(path: path).runningVersion
        } catch {
            throw PluginBuildError(
                .doesNotLoad,
                "the plugin was compiled and doesn't load: \(error.message): are libcamera and libcamera-dev of the same "
                    + "version? (apt policy libcamera-dev)")
        }
    }
}
