import Glibc
import Linux
import TestSupport
import Testing

@testable import Capture

/// The real compiler, and the libcamera that is installed here.
@Suite(.timeLimit(.minutes(10))) struct PluginBuilderTests {
    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private func builder(_ change: (inout PluginBuilder) -> Void = { _ in }) -> PluginBuilder {
        var builder = PluginBuilder()
        builder.output = "\(folder.path)/lib/scanstation"
        change(&builder)
        return builder
    }

    private func failure(_ builder: PluginBuilder) async throws -> PluginBuildError? {
        do {
            let outcome = try await blocking { try builder.build() }
            Issue.record("built \(outcome.path)")
            return nil
        } catch let error as PluginBuildError {
            return error
        }
    }

    private func outputNames(_ builder: PluginBuilder) -> [String] {
        Files.names(in: builder.output)
    }

    @Test func `a plugin is compiled from this tree, put under the name that stations look for, and loads`()
        async throws
    {
        let headers = try #require(LibcameraHeaders.find())
        let builder = builder()
        let outcome = try await blocking { try builder.build() }
        #expect(outcome.path == "\(builder.output)/libcamera-\(headers.pluginVersion).so")
        #expect(outcome.version == headers.versionText)
        #expect(outcome.runningVersion.hasPrefix("v\(headers.versionText)"))
        #expect(outputNames(builder) == ["libcamera-\(headers.pluginVersion).so"])

        let locator = PluginLocator(folders: [builder.output])
        #expect(try locator.load().path == outcome.path)
        #expect(
            locator.survey() == [
                PluginFinding(path: outcome.path, libcamera: outcome.runningVersion, problem: nil)
            ])
        var status = stat()
        #expect(stat(outcome.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
    }

    @Test func `a library is compiled where nobody else can write, under an unpredictable name`() throws {
        let builder = builder { $0.output = folder.path }
        let workshops = try [builder.makeWorkshop(), builder.makeWorkshop()]
        #expect(workshops[0] != workshops[1])
        for workshop in workshops {
            var status = stat()
            #expect(lstat(workshop, &status) == 0)
            #expect(status.st_mode == S_IFDIR | 0o700)
        }
    }

    @Test func `what is missing is named as packages to install`() async throws {
        var missing = builder { $0.programFolders = folder.path }
        #expect(try await failure(missing)?.description.hasSuffix("sudo apt install g++") == true)
        missing.headerFolders = [folder.path]
        #expect(try await failure(missing)?.kind == .missing(packages: ["g++", "libcamera-dev"]))
        #expect(try await failure(missing)?.description.hasSuffix("sudo apt install g++ libcamera-dev") == true)
        missing.programFolders = nil
        #expect(try await failure(missing)?.kind == .missing(packages: ["libcamera-dev"]))
        #expect(outputNames(missing).isEmpty)
    }

    @Test func `without the source nothing is tried`() async throws {
        let builder = builder { $0.sources = folder.path }
        #expect(try await failure(builder)?.kind == .noSources)
        #expect(try await failure(builder)?.description.contains(folder.path) == true)
    }

    @Test func `a source that doesn't compile leaves the plugin as it was, and shows the compiler's last lines`()
        async throws
    {
        try folder.write("plugin.cpp", Array("int broken( {\n#error the interface has changed\n".utf8))
        let builder = builder { $0.sources = folder.path }
        let error = try #require(try await failure(builder))
        #expect(error.kind == .compilerFailed)
        #expect(error.description.contains("the interface has changed"))
        #expect(outputNames(builder).isEmpty)
    }

    @Test func `a library that compiles but isn't a plugin isn't installed`() async throws {
        try folder.write("plugin.cpp", Array("extern \"C\" int nothing(void) { return 0; }\n".utf8))
        let builder = builder { $0.sources = folder.path }
        let error = try #require(try await failure(builder))
        #expect(error.kind == .doesNotLoad)
        #expect(error.description.contains("CLibcameraPlugin_table"))
        #expect(outputNames(builder).isEmpty)
    }

    @Test func `a folder that can't be made is said before the compiler is started`() async throws {
        try folder.write("file", [])
        let inFile = builder {
            $0.output = "\(folder.path)/file/lib"
            $0.compiler = "/bin/false"
        }
        #expect(try await failure(inFile)?.kind == .cannotWrite)
        #expect(try await failure(inFile)?.description.contains("/file") == true)
        let inProc = builder {
            $0.output = "/proc/scanstation/lib"
            $0.compiler = "/bin/false"
        }
        #expect(try await failure(inProc)?.kind == .cannotWrite)
    }

    @Test func `a version below 0_1 has all three numbers in the plugin's name, a later one two`() {
        func name(_ version: [Int]) -> String { LibcameraHeaders(folder: "", version: version).pluginVersion }
        #expect(name([0, 0, 3]) == "0.0.3")
        #expect(name([0, 4, 0]) == "0.4")
        #expect(name([0, 10, 2]) == "0.10")
        #expect(name([1, 0, 0]) == "1.0")
    }

    @Test func `sources are looked for beside the program's prefix, in the package's place, then in the tree above`() {
        #expect(
            PluginBuilder.sourceFolders(of: "/home/me/tree/.build/debug") == [
                "/home/me/tree/.build/share/scanstation/camera-plugin", "/usr/share/scanstation/camera-plugin",
                "/usr/local/share/scanstation/camera-plugin", "/home/me/tree/.build/Sources/CLibcameraPlugin",
                "/home/me/tree/Sources/CLibcameraPlugin", "/home/me/Sources/CLibcameraPlugin",
                "/home/Sources/CLibcameraPlugin",
            ])
        #expect(
            PluginBuilder.sourceFolders(of: "/usr/bin") == [
                "/usr/share/scanstation/camera-plugin", "/usr/local/share/scanstation/camera-plugin",
                "/usr/Sources/CLibcameraPlugin",
            ])
    }
}
